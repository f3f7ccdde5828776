import assert from "node:assert/strict";
import { constants, publicEncrypt } from "node:crypto";
import { test } from "node:test";
import { fault } from "../../test/fault.ts";
import {
  privateKeyOf,
  publicKeyOf,
  receiveVector,
  vectorsOf,
} from "../../test/vectors.ts";
import {
  decryptEnvelope,
  encryptEnvelope,
  isEncryptedFor,
} from "./encrypted-envelope.ts";
import { DiasporaError } from "../errors.ts";

const ENVELOPE = '<?xml version="1.0"?>\n<me:env>Grüße 😀</me:env>';

test("the recipient can decrypt an encrypted envelope", async () => {
  const body = encryptEnvelope(ENVELOPE, publicKeyOf("bob"));
  assert.equal(await decryptEnvelope(body, privateKeyOf("bob")), ENVELOPE);
  const bytes = Buffer.from(body);
  assert.equal(await decryptEnvelope(bytes, privateKeyOf("bob")), ENVELOPE);
});

test("the JSON has the two members, and the inner one the sizes, that peers expect", () => {
  const outer = readOuter(encryptEnvelope(ENVELOPE, publicKeyOf("bob")));
  assert.deepEqual(Object.keys(outer), ["aes_key", "encrypted_magic_envelope"]);
  assert.equal(Buffer.from(outer.aes_key, "base64").length, 256);
  const encrypted = Buffer.from(outer.encrypted_magic_envelope, "base64");
  assert.equal(encrypted.length % 16, 0);
});

test("each message has its own key", () => {
  const bodies = [1, 2].map(() => encryptEnvelope("x", publicKeyOf("bob")));
  assert.notEqual(bodies[0], bodies[1]);
});

test("every failure has the same message", async () => {
  const broken = vectorsOf("receive")
    .filter(({ expected }) => expected.stage === "decrypt")
    .map(({ body }) => body);
  const outer = readOuter(receiveVector("private-status").body);
  const inner = { key: Buffer.alloc(32).toString("base64"), iv: 4 };
  const aes_key = publicEncrypt(
    { key: publicKeyOf("bob"), padding: constants.RSA_PKCS1_PADDING },
    Buffer.from(JSON.stringify(inner)),
  ).toString("base64");
  broken.push("", "null", "[]", "[".repeat(1_000_000), "\u0000");
  broken.push(JSON.stringify({ ...outer, aes_key }));
  broken.push(JSON.stringify({ ...outer, aes_key: "" }));
  broken.push(JSON.stringify({ ...outer, encrypted_magic_envelope: "" }));
  const messages = new Set<string>();
  for (const body of broken) {
    const error = await failure(body);
    if (error) messages.add(`${error.stage} ${error.code} ${error.message}`);
  }
  assert.deepEqual(
    [...messages],
    ["decrypt decryption_failed The message cannot be decrypted"],
  );
});

test("bytes that are not UTF-8, and too many, fail in the same way", async () => {
  for (const body of [Buffer.from([0xff]), Buffer.alloc(2 ** 21 + 1, 0x20)]) {
    await assert.rejects(
      decryptEnvelope(body, privateKeyOf("bob")),
      fault("decrypt", "decryption_failed"),
    );
  }
});

test("a wrong RSA padding does not make the answer faster by skipping AES", async () => {
  const good = readOuter(receiveVector("private-status").body);
  const long = Buffer.alloc(1_000_000).toString("base64");
  const body = (aes_key: string) =>
    JSON.stringify({ aes_key, encrypted_magic_envelope: long });
  const wrong = Buffer.alloc(256, 1).toString("base64");
  const [fits = 0, fails = 0] = await shortest([
    body(good.aes_key),
    body(wrong),
  ]);
  assert.ok(fails > fits / 2, `${fails} ms against ${fits} ms`);
});

test("an encrypted envelope is recognized, also as PHP and MIME write it", () => {
  const bob = publicKeyOf("bob");
  const body = encryptEnvelope(ENVELOPE, bob);
  const broken = JSON.stringify(
    Object.fromEntries(
      Object.entries(readOuter(body)).map(([name, text]) => [
        name,
        String(text).replace(/.{64}/g, "$&\r\n"),
      ]),
    ),
  );
  for (const form of [body, body.replaceAll("/", "\\/"), broken])
    assert.ok(isEncryptedFor(Buffer.from(form), bob));
});

test("a body that no key could decrypt is recognized without the key", () => {
  const bob = publicKeyOf("bob");
  const outer = readOuter(encryptEnvelope(ENVELOPE, bob));
  const base64 = (bytes: number) => Buffer.alloc(bytes, 7).toString("base64");
  const others = [
    { aes_key: base64(255) },
    { aes_key: base64(257) },
    { aes_key: base64(512) },
    { aes_key: `${outer.aes_key.slice(0, -4)}!!!!` },
    { aes_key: [outer.aes_key] },
    { encrypted_magic_envelope: "" },
    { encrypted_magic_envelope: base64(15) },
    { encrypted_magic_envelope: base64(1_000) },
    { encrypted_magic_envelope: `${base64(16)}<` },
    { encrypted_magic_envelope: undefined },
    { more: Array.from({ length: 100 }, () => 0) },
  ].map((changed) => JSON.stringify({ ...outer, ...changed }));
  for (const body of ["", "{}", "null", "<xml/>", "\u0000", ...others])
    assert.equal(isEncryptedFor(body, bob), false, body.slice(0, 200));
});

test("JSON with many parts is not parsed, whether or not it is for the recipient", async (t) => {
  const parse = t.mock.method(JSON, "parse");
  const bob = publicKeyOf("bob");
  for (const body of [
    "[".repeat(2 ** 21),
    `{"a":${"[],".repeat(2 ** 19)}1}`,
    `{${'"":{},'.repeat(2 ** 18)}"a":1}`,
  ]) {
    assert.equal(isEncryptedFor(body, bob), false);
    await assert.rejects(decryptEnvelope(body, privateKeyOf("bob")));
  }
  assert.equal(parse.mock.callCount(), 0);
});

interface Outer {
  readonly aes_key: string;
  readonly encrypted_magic_envelope: string;
}

function readOuter(json: string): Outer {
  return JSON.parse(json) as Outer;
}

/** The best of many alternating rounds of each, so that other load affects all alike. */
async function shortest(bodies: readonly string[]): Promise<number[]> {
  const best = bodies.map(() => Infinity);
  for (let round = 0; round < 60; round += 1)
    for (const [index, body] of bodies.entries()) {
      const start = performance.now();
      await failure(body);
      const took = performance.now() - start;
      best[index] = Math.min(best[index] ?? Infinity, took);
    }
  return best;
}

async function failure(body: string): Promise<DiasporaError | undefined> {
  try {
    await decryptEnvelope(body, privateKeyOf("bob"));
    return undefined;
  } catch (error) {
    assert.ok(error instanceof DiasporaError);
    return error;
  }
}
