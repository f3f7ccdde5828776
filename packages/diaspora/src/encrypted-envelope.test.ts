import assert from "node:assert/strict";
import { constants, publicEncrypt } from "node:crypto";
import { test } from "node:test";
import { fault } from "../test/fault.ts";
import {
  privateKeyOf,
  publicKeyOf,
  receiveVector,
  vectorsOf,
} from "../test/vectors.ts";
import { decryptEnvelope, encryptEnvelope } from "./encrypted-envelope.ts";
import { DiasporaError } from "./errors.ts";

const ENVELOPE = '<?xml version="1.0"?>\n<me:env>Grüße 😀</me:env>';

test("what is encrypted for someone, they can read", async () => {
  const body = encryptEnvelope(ENVELOPE, publicKeyOf("bob"));
  assert.equal(await decryptEnvelope(body, privateKeyOf("bob")), ENVELOPE);
  const bytes = Buffer.from(body);
  assert.equal(await decryptEnvelope(bytes, privateKeyOf("bob")), ENVELOPE);
});

test("the JSON has the two members and the inner one the sizes that peers expect", () => {
  const outer = readOuter(encryptEnvelope(ENVELOPE, publicKeyOf("bob")));
  assert.deepEqual(Object.keys(outer), ["aes_key", "encrypted_magic_envelope"]);
  assert.equal(Buffer.from(outer.aes_key, "base64").length, 256);
  const encrypted = Buffer.from(outer.encrypted_magic_envelope, "base64");
  assert.equal(encrypted.length % 16, 0);
});

test("each message has a key of its own", () => {
  const bodies = [1, 2].map(() => encryptEnvelope("x", publicKeyOf("bob")));
  assert.notEqual(bodies[0], bodies[1]);
});

test("every fault is told in the same words", async () => {
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

interface Outer {
  readonly aes_key: string;
  readonly encrypted_magic_envelope: string;
}

function readOuter(json: string): Outer {
  return JSON.parse(json) as Outer;
}

/** Of each the best of many rounds, in turns, so that what else the machine does falls on all. */
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
