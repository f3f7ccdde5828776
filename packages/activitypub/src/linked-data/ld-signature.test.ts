import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { test } from "node:test";
import { buildActivity } from "../build/build-activity.ts";
import { withContext } from "../context.ts";
import { ActivityPubError } from "../errors.ts";
import { parseJson, serialize } from "../json/json.ts";
import type { JsonObject } from "../json/json-types.ts";
import { ed25519, NOW, rsa } from "../../test/requests.ts";
import {
  addLdSignature,
  readLdSignature,
  createLdVerifier,
  verifyLdSignature,
} from "./ld-signature.ts";
import { jsonLd } from "../../test/json-ld.ts";

const KEY_ID = "https://kith.example/api/v1/ap/person/alice/actor#main-key";
const signer = { keyId: KEY_ID, privateKey: rsa.privateKey, now: NOW };
const create = withContext(
  buildActivity({
    id: "https://kith.example/a/1",
    type: "Create",
    actor: "https://kith.example/u",
    to: ["https://www.w3.org/ns/activitystreams#Public"],
    object: {
      id: "https://kith.example/o/1",
      type: "Note",
      content: "<p>Grüße</p>",
      sensitive: true,
    },
  }),
);
const wire = (object: JsonObject) => parseJson(Buffer.from(serialize(object)));
const faultOf = async (document: JsonObject, key = rsa.publicKey) => {
  try {
    await verifyLdSignature(document, key, jsonLd);
    return "none";
  } catch (error) {
    assert.ok(error instanceof ActivityPubError);
    return error.fault ?? error.code;
  }
};

test("a signed document is verified after transport, with its members in any order", async () => {
  const signed = wire(await addLdSignature(create, signer, jsonLd));
  assert.deepEqual(readLdSignature(signed)?.creator, KEY_ID);
  assert.equal(readLdSignature(signed)?.created, "2026-06-15T10:00:00.000Z");
  assert.equal(await faultOf(signed), "none");
  const turned = Object.fromEntries(Object.entries(signed).reverse());
  assert.equal(await faultOf(turned), "none");
});

test("several keys are tried against one canonical form", async () => {
  const signed = wire(await addLdSignature(create, signer, jsonLd));
  let canonized = 0;
  const verifyWith = createLdVerifier(signed, {
    canonize: (document) => {
      canonized += 1;
      return jsonLd.canonize(document);
    },
  });
  const other = generateKeyPairSync("rsa", { modulusLength: 2048 });
  await assert.rejects(verifyWith(other.publicKey), { fault: "bad-signature" });
  await verifyWith(rsa.publicKey);
  // The document, and the options of its signature.
  assert.equal(canonized, 2);
});

test("any change of its meaning is refused", async () => {
  const signed = wire(await addLdSignature(create, signer, jsonLd));
  const object = signed["object"] as JsonObject;
  const signature = signed["signature"] as JsonObject;
  const broken: JsonObject[] = [
    { ...signed, actor: "https://kith.example/v" },
    { ...signed, object: { ...object, content: "<p>x</p>" } },
    { ...signed, object: { ...object, summary: "x" } },
    { ...signed, signature: { ...signature, created: "2026-06-15T10:00:01Z" } },
    { ...signed, signature: { ...signature, creator: `${KEY_ID}x` } },
    { ...signed, signature: { ...signature, signatureValue: "" } },
    { ...signed, signature: { ...signature, signatureValue: 7 } },
  ];
  for (const document of broken)
    assert.equal(await faultOf(document), "bad-signature");
});

test("a document that JSON-LD would rearrange counts as unsigned", async () => {
  const signed = wire(await addLdSignature(create, signer, jsonLd));
  for (const keyword of ["@graph", "@included", "@reverse"]) {
    const changed: JsonObject = { ...signed, [keyword]: [] };
    assert.equal(readLdSignature(changed), undefined);
    assert.equal(await faultOf(changed), "json-ld-restructuring");
    const renamed: JsonObject = {
      ...signed,
      "@context": [...(signed["@context"] as JsonObject[]), { more: keyword }],
    };
    assert.equal(await faultOf(renamed), "json-ld-restructuring");
  }
});

test("another key, another kind of key and another kind of signature are refused", async () => {
  const signed = wire(await addLdSignature(create, signer, jsonLd));
  assert.equal(
    await faultOf(signed, ed25519.publicKey),
    "unsupported-algorithm",
  );
  assert.equal(await faultOf(create), "no-signature");
  assert.equal(
    await faultOf({ ...signed, signature: { type: "Other", creator: KEY_ID } }),
    "no-signature",
  );
  await assert.rejects(
    addLdSignature(
      create,
      { ...signer, privateKey: ed25519.privateKey },
      jsonLd,
    ),
    { code: "unsupported" },
  );
});

test("a context that is not bundled is never fetched", async () => {
  const document: JsonObject = {
    ...create,
    "@context": ["https://unknown.example/context"],
  };
  await assert.rejects(addLdSignature(document, signer, jsonLd), {
    code: "unsupported",
  });
});

test("graphs built to take forever are refused", async () => {
  const nodes = Array.from({ length: 60 }, (_, at) => ({
    type: "Note",
    inReplyTo: { type: "Note", inReplyTo: { type: "Note", name: `${at % 2}` } },
    tag: Array.from({ length: 8 }, () => ({ type: "Note" })),
  }));
  const document: JsonObject = { ...create, attachment: nodes };
  const started = process.cpuUsage();
  await addLdSignature(document, signer, jsonLd).catch((error: unknown) =>
    assert.ok(error instanceof ActivityPubError),
  );
  const { user } = process.cpuUsage(started);
  assert.ok(user < 20_000_000, `${user} µs of work`);
  await assert.rejects(
    addLdSignature({ ...create, content: "x".repeat(300_000) }, signer, jsonLd),
    { code: "unsupported" },
  );
});
