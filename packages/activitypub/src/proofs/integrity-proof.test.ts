import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { buildActivity } from "../build/build-activity.ts";
import { withContext } from "../context.ts";
import {
  addIntegrityProof,
  readIntegrityProof,
  verifyIntegrityProof,
} from "./integrity-proof.ts";
import { parseJson, serialize } from "../json/json.ts";
import type { JsonObject } from "../json/json-types.ts";
import { NOW, ed25519, rsa } from "../../test/requests.ts";

const KEY_ID = "https://kith.example/api/v1/ap/person/alice#ed25519";
const proof = { keyId: KEY_ID, privateKey: ed25519.privateKey, now: NOW };
const like = withContext(
  buildActivity({
    id: "https://kith.example/a/1",
    type: "Like",
    actor: "https://kith.example/u",
    object: "https://peer.example/1",
  }),
);
const wire = (object: JsonObject) => parseJson(Buffer.from(serialize(object)));

test("a proved document is verified after transport", () => {
  const proved = addIntegrityProof(like, proof);
  const parsed = wire(proved);
  assert.deepEqual(readIntegrityProof(parsed)?.verificationMethod, KEY_ID);
  assert.equal(readIntegrityProof(parsed)?.created, "2026-06-15T10:00:00.000Z");
  verifyIntegrityProof(parsed, ed25519.publicKey);
  assert.equal(
    (proved["@context"] as unknown[]).filter(
      (entry) => entry === "https://w3id.org/security/data-integrity/v1",
    ).length,
    1,
  );
});

test("any change of the document or of the proof is refused", () => {
  const proved = addIntegrityProof({ ...like, text: "x" }, proof);
  const { proof: inner, ...rest } = proved;
  const broken: JsonObject[] = [
    { ...proved, actor: "https://kith.example/v" },
    { ...proved, more: 1 },
    { ...proved, "@context": "https://www.w3.org/ns/activitystreams" },
    {
      ...rest,
      proof: { ...(inner as JsonObject), created: "2026-06-15T10:00:01Z" },
    },
    {
      ...rest,
      proof: { ...(inner as JsonObject), verificationMethod: `${KEY_ID}x` },
    },
    {
      ...rest,
      proof: { ...(inner as JsonObject), proofPurpose: "authentication" },
    },
  ];
  for (const document of broken) {
    assert.throws(
      () => verifyIntegrityProof(wire(document), ed25519.publicKey),
      { code: "signature_invalid" },
    );
  }
  for (const proofValue of ["", "z", "z1", "u1234", null]) {
    const document = {
      ...rest,
      proof: { ...(inner as JsonObject), proofValue },
    };
    assert.throws(
      () => verifyIntegrityProof(wire(document), ed25519.publicKey),
      { code: "signature_malformed" },
    );
  }
});

test("a document signature around a proof leaves it valid, and proves nothing", () => {
  const proved = addIntegrityProof(like, proof);
  const signature = { type: "RsaSignature2017", signatureValue: "AAAA" };
  verifyIntegrityProof(wire({ ...proved, signature }), ed25519.publicKey);
  const changed = { ...proved, signature, actor: "https://kith.example/v" };
  assert.throws(() => verifyIntegrityProof(changed, ed25519.publicKey));
  // A signature that the proof covers must be present and unchanged.
  const around = addIntegrityProof({ ...like, signature }, proof);
  verifyIntegrityProof(wire(around), ed25519.publicKey);
  const { signature: _, ...without } = around;
  assert.throws(() => verifyIntegrityProof(without, ed25519.publicKey));
});

test("of several proofs the supported one is read, without one none", () => {
  const proved = addIntegrityProof(like, proof);
  const document = wire({
    ...proved,
    proof: [
      { type: "DataIntegrityProof", cryptosuite: "mldsa44-jcs-2024" },
      proved["proof"] ?? null,
    ],
  });
  verifyIntegrityProof(document, ed25519.publicKey);
  assert.equal(readIntegrityProof(like), undefined);
  assert.throws(() => verifyIntegrityProof(like, ed25519.publicKey), {
    code: "signature_missing",
  });
});

test("other keys are refused", () => {
  assert.throws(
    () => addIntegrityProof(like, { ...proof, privateKey: rsa.privateKey }),
    { code: "unsupported" },
  );
  assert.throws(
    () => verifyIntegrityProof(addIntegrityProof(like, proof), rsa.publicKey),
    { code: "unsupported" },
  );
});

test("holds for any JSON, in any order of its members", () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string({ unit: "grapheme" }), fc.jsonValue()),
      (members) => {
        const {
          "@context": _,
          proof: __,
          ...document
        } = wire(JSON.parse(JSON.stringify(members)) as JsonObject);
        const proved = wire(addIntegrityProof(document, proof));
        const reversed = Object.fromEntries(Object.entries(proved).reverse());
        verifyIntegrityProof(reversed, ed25519.publicKey);
      },
    ),
  );
});
