import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ActivityPubError } from "./errors.ts";
import {
  addIntegrityProof,
  readIntegrityProof,
  verifyIntegrityProof,
} from "./proofs/integrity-proof.ts";
import { parseJson } from "./json/json.ts";
import type { JsonObject } from "./json/json-types.ts";
import { readActivity } from "./read/read-activity.ts";
import { requireSigner, resolveKey } from "./resolve-key.ts";
import type { ResolvedKey } from "./resolve-key.ts";
import type { Rfc9421Signature } from "./signatures/rfc9421.ts";
import type { ReceivedRequest } from "./signatures/request.ts";
import { signCavage, signRfc9421 } from "./signatures/sign.ts";
import {
  parseHttpSignature,
  verifyHttpSignature,
} from "./signatures/verify.ts";
import type { ParsedSignature } from "./signatures/verify.ts";
import {
  privateKeyOf,
  receivedRequest,
  receiver,
  vectorFetcher,
  vectorKey,
  vectors,
} from "../test/vectors.ts";
import type { Vector } from "../test/vectors.ts";
import { jsonLd } from "../test/json-ld.ts";

type Outcome = { result: string; actor?: string; reason?: string };

/** The steps of an inbox: cheap parsing, the key, the signature, and the binding to the actor. */
async function receive(vector: Vector): Promise<Outcome> {
  const request = receivedRequest(vector);
  const parsed = parseHttpSignature(request);
  assert.equal(parsed.scheme, vector.scheme);
  const key = await resolveAndVerify(request, parsed, vector.cachedKeys);
  if (typeof key === "string") return { result: "reject", reason: key };
  if (vector.level === "inbox") {
    const activity = readActivity(parseJson(request.body ?? Buffer.from("")));
    requireSigner(key.owner, activity);
  }
  return { result: "accept", actor: key.owner };
}

async function resolveAndVerify(
  request: ReceivedRequest,
  parsed: ParsedSignature,
  cachedKeys: Record<string, string> = {},
): Promise<ResolvedKey | string> {
  const { keyId } = parsed;
  const fetchDocument = vectorFetcher();
  const pem = cachedKeys[keyId];
  if (pem !== undefined) {
    const owner = keyId.replace(/#.*/, "");
    const cached = { keyId, owner, pem };
    const known = await resolveKey({ keyId, cached, fetchDocument, jsonLd });
    assert.equal(known.kind === "resolved" && known.key.pem, pem);
    try {
      await verifyHttpSignature(request, parsed, pem, receiver);
      return cached;
    } catch (error) {
      assert.ok(error instanceof ActivityPubError);
      assert.equal(error.fault, "bad-signature");
    }
  }
  const found = await resolveKey({ keyId, fetchDocument, jsonLd });
  if (found.kind === "unavailable") return "key-unavailable";
  if (found.kind === "refused") return found.reason;
  await verifyHttpSignature(request, parsed, found.key.pem, receiver);
  return found.key;
}

async function outcomeOf(vector: Vector): Promise<Outcome> {
  try {
    return await receive(vector);
  } catch (error) {
    if (!(error instanceof ActivityPubError)) throw error;
    return { result: "reject", reason: error.fault ?? error.code };
  }
}

describe("HTTP signature vectors", () => {
  for (const vector of vectors.vectors) {
    const { expect } = vector;
    test(`${vector.scheme} ${vector.name}`, async () => {
      if (expect.result === "ignore") {
        await assertDeleteOfUnknown(vector);
        return;
      }
      const outcome = await outcomeOf(vector);
      if (expect.result === "reject") {
        assert.deepEqual(outcome, { result: "reject", reason: expect.reason });
      } else {
        assert.deepEqual(outcome, { result: "accept", actor: expect.actor });
      }
    });
  }

  test("all signature vectors are present", () => {
    assert.equal(vectors.vectors.length, 73);
  });
});

/** Recognizes such a delivery before any key is fetched: the inbox answers it with 202. */
async function assertDeleteOfUnknown(vector: Vector): Promise<void> {
  const request = receivedRequest(vector);
  const activity = readActivity(parseJson(request.body ?? Buffer.from("")));
  assert.equal(activity.type, "Delete");
  assert.equal(activity.object?.id, activity.actor);
  const { keyId } = parseHttpSignature(request);
  assert.deepEqual(
    await resolveKey({ keyId, fetchDocument: vectorFetcher(), jsonLd }),
    { kind: "unavailable", reason: "gone" },
  );
}

/** Forms that we never send: `(created)`, and parameters in another order than ours. */
const NOT_OURS = new Set([
  "post-hs2019-created",
  "post-hs2019-created-expires",
  "rfc-get",
  "rfc-post-mastodon-components",
]);

describe("signing reproduces the bytes of the vectors", () => {
  const ours = vectors.vectors.filter(
    ({ name, expect }) => expect.result === "accept" && !NOT_OURS.has(name),
  );
  for (const vector of ours) {
    test(vector.name, async () => {
      const received = receivedRequest(vector);
      const parsed = parseHttpSignature(received);
      const given = Object.fromEntries(
        received.headers.map(([name, value]) => [name.toLowerCase(), value]),
      );
      const sent =
        parsed.scheme === "cavage"
          ? await signCavage({
              ...signable(vector, given),
              signedHeaders: parsed.headers,
              now: new Date(given["date"] ?? ""),
            })
          : await signRfc9421(rfc9421Input(vector, given, parsed));
      const again = parseHttpSignature({
        ...received,
        headers: Object.entries(sent),
      });
      assert.deepEqual(again.signature, parsed.signature);
      if (parsed.algorithm !== undefined && parsed.algorithm !== "hs2019") {
        assert.equal(sent["signature"], given["signature"]);
        assert.equal(sent["signature-input"], given["signature-input"]);
      }
    });
  }

  test("most vectors are reproduced", () => {
    assert.ok(ours.length >= 23, `${ours.length}`);
  });
});

function signable(vector: Vector, headers: Record<string, string>) {
  const { keyId } = parseHttpSignature(receivedRequest(vector));
  // The newer version of a rotated key is last.
  const key = vectors.keys.findLast((known) => known.keyId === keyId);
  assert.ok(key);
  const { body } = receivedRequest(vector);
  return {
    method: vector.request.method,
    url: vector.request.url,
    headers,
    keyId,
    privateKey: privateKeyOf(key),
    ...(body !== undefined && { body }),
  };
}

function rfc9421Input(
  vector: Vector,
  given: Record<string, string>,
  parsed: Rfc9421Signature,
) {
  const { components, label, created = 0, expires } = parsed;
  return {
    ...signable(vector, given),
    components,
    label,
    now: new Date(created * 1000),
    ...(expires !== undefined && { expires: new Date(expires * 1000) }),
  };
}

describe("document proof vectors by eddsa-jcs-2022", () => {
  const proofs = vectors.documentProofs.filter(
    ({ kind }) => kind === "eddsa-jcs-2022",
  );
  for (const { name, document, expect } of proofs) {
    test(name, async () => {
      const json = parseJson(Buffer.from(JSON.stringify(document)));
      const outcome = await verifyDocument(json);
      if (expect.result === "reject") {
        assert.deepEqual(outcome, { result: "reject", reason: expect.reason });
      } else {
        assert.deepEqual(outcome, {
          result: "accept",
          actor: "https://hollo.example/@dora",
        });
      }
    });
  }

  test("a proof made again has the same bytes", () => {
    const original = proofs[0]?.document;
    assert.ok(original);
    const made = addIntegrityProof(original, {
      keyId: "https://hollo.example/@dora#multikey-2",
      privateKey: privateKeyOf(vectorKey("hollo-ed25519")),
      now: new Date("2026-06-15T10:00:00Z"),
    });
    assert.deepEqual(made, original);
  });
});

async function verifyDocument(document: JsonObject): Promise<Outcome> {
  const proof = readIntegrityProof(document);
  assert.ok(proof);
  const found = await resolveKey({
    keyId: proof.verificationMethod,
    fetchDocument: vectorFetcher(),
    jsonLd,
  });
  assert.equal(found.kind, "resolved");
  try {
    verifyIntegrityProof(document, found.key.pem);
    requireSigner(found.key.owner, readActivity(document));
    return { result: "accept", actor: found.key.owner };
  } catch (error) {
    if (!(error instanceof ActivityPubError)) throw error;
    return { result: "reject", reason: error.fault ?? error.code };
  }
}
