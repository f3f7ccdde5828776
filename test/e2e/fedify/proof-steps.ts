import assert from "node:assert/strict";
import {
  importPublicKey,
  parseJson,
  readActor,
  verifyIntegrityProof,
  type JsonObject,
} from "@kith/activitypub";
import type { FedifyStep } from "./meeting.ts";

const PUBLIC = "https://www.w3.org/ns/activitystreams#Public";
const isRfc9421 = (headers: Readonly<Record<string, string>>) =>
  "signature-input" in headers && "content-digest" in headers;
const isCavage = (headers: Readonly<Record<string, string>>) =>
  !("signature-input" in headers) &&
  /keyId=.*signature=/.test(headers["signature"] ?? "") &&
  "digest" in headers;

export const httpSignatures: FedifyStep = {
  name: "every request was signed as required, and accepted",
  walk: async ({ signatures, peer, watch }) => {
    assert.ok(watch.sent.length >= 10, `${watch.sent.length} were sent`);
    const isMeant = signatures === "rfc9421" ? isRfc9421 : isCavage;
    for (const { path, headers, status } of watch.sent) {
      assert.ok(isMeant(headers), `${path}: ${JSON.stringify(headers)}`);
      assert.equal(status, 202, path);
    }
    assert.ok(peer.received.length >= 10);
    for (const { path, headers, status, body } of peer.received) {
      assert.ok(isMeant(headers), `${path}: ${JSON.stringify(headers)}`);
      assert.equal(status, 202, body);
    }
    // Kith starts with the most common form, and remembers servers that use another one.
    for (const { headers } of peer.refused) assert.ok(isCavage(headers));
    if (signatures === "rfc9421") assert.notEqual(peer.refused.length, 0);
    else assert.equal(peer.refused.length, 0);
    assert.ok(peer.refused.length < peer.received.length);
  },
};

export const sharedInboxes: FedifyStep = {
  name: "public posts went to the shared inbox",
  walk: async ({ peer, watch }) => {
    const paths = new Set(peer.received.map(({ path }) => path));
    assert.ok(paths.has("/inbox"), [...paths].join());
    const shared = watch.sent.filter(({ body }) => body.includes("Announce"));
    assert.equal(shared.length, 1);
    assert.ok(new Set(watch.sent.map(({ path }) => path)).size > 1);
  },
};

function isPublic({ to, cc }: JsonObject): boolean {
  return [to, cc].flat().some((one) => one === PUBLIC || one === "as:Public");
}

export const integrityProofs: FedifyStep = {
  name: "each verifies the other's integrity proofs",
  walk: async ({ peer, watch }) => {
    const documents = peer.received.map(({ body }) => read(body));
    const open = documents.filter(isPublic);
    const closed = documents.filter((one) => !isPublic(one));
    assert.ok(open.length >= 5 && closed.length >= 2);
    for (const document of open) {
      assert.ok(await peer.isProven(document), JSON.stringify(document));
      const forged = { ...document, published: "2001-01-01T00:00:00Z" };
      assert.equal(await peer.isProven(forged), false);
    }
    for (const document of closed) assert.ok(!("proof" in document));

    const response = await fetch(peer.fay, {
      headers: { accept: "application/activity+json" },
    });
    const actor = readActor(read(await response.text()));
    const keys = actor?.publicKeys.map(({ pem }) => importPublicKey(pem)) ?? [];
    const key = keys.find((one) => one.asymmetricKeyType === "ed25519");
    assert.ok(key, "Fay names a key for proofs");
    const sent = watch.sent.map(({ body }) => read(body));
    for (const document of sent) {
      verifyIntegrityProof(document, key);

      const forged = { ...document, published: "2001-01-01T00:00:00Z" };
      assert.throws(() => verifyIntegrityProof(forged, key));
    }
  },
};

function read(body: string): JsonObject {
  return parseJson(Buffer.from(body));
}

export const noComplaints: FedifyStep = {
  name: "neither logged a problem",
  walk: async ({ kith, watch }) => {
    assert.deepEqual(watch.complaints, []);
    assert.doesNotMatch(kith.output, /"level":(?:50|60)/);
  },
};
