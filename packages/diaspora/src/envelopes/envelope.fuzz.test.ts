import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  publicKeyOf,
  privateKeyOf,
  receiveVector,
} from "../../test/vectors.ts";
import {
  decryptEnvelope,
  DiasporaError,
  parseEntity,
  parseEnvelope,
  verifyEnvelope,
} from "../index.ts";

const SEED = 20200201;
const BUDGET_MS = 2000;
const ORIGINALS = ["public-status-all", "relayable-comment-relayed"].map((id) =>
  receiveVector(id),
);

/** Overwrites, inserts, removes or repeats a few bytes. */
const mutation = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  remove: fc.nat({ max: 3 }),
  insert: fc.oneof(
    fc.uint8Array({ maxLength: 3 }),
    fc
      .constantFrom("<", ">", "&", "=", "-", "A", "]]>", "<!--", "<!DOCTYPE a>")
      .map((text) => new TextEncoder().encode(text)),
  ),
});

function mutate(
  body: Buffer,
  { at, remove, insert }: { at: number; remove: number; insert: Uint8Array },
): Buffer {
  const start = Math.floor(at * body.length);
  const rest = body.subarray(start + remove);
  return Buffer.concat([body.subarray(0, start), insert, rest]);
}

test("no change to a signed envelope is both accepted and visible", async () => {
  const key = publicKeyOf("alice");
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...ORIGINALS),
      fc.array(mutation, { minLength: 1, maxLength: 3 }),
      async (vector, mutations) => {
        const body = mutations.reduce(mutate, Buffer.from(vector.body));
        try {
          const opened = await verifyEnvelope(parseEnvelope(body), key);
          assert.equal(opened.payloadXml, vector.expected.payload_xml);
        } catch (error) {
          assert.ok(error instanceof DiasporaError, String(error));
          refused += 1;
        }
      },
    ),
    {
      seed: SEED,
      numRuns: 100_000,
      interruptAfterTimeLimit: BUDGET_MS,
      endOnFailure: true,
    },
  );
  assert.ok(refused > 100, `only ${refused} mutants were refused`);
});

test("no payload, however malformed, throws anything but our error", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...ORIGINALS),
      fc.array(mutation, { minLength: 1, maxLength: 4 }),
      (vector, mutations) => {
        const payload = Buffer.from(vector.expected.payload_xml ?? "");
        const body = mutations.reduce(mutate, payload).toString("utf8");
        try {
          assert.equal(typeof parseEntity(body).type, "string");
        } catch (error) {
          assert.ok(error instanceof DiasporaError, String(error));
        }
      },
    ),
    { seed: SEED, numRuns: 20_000, interruptAfterTimeLimit: BUDGET_MS },
  );
});

test("no encrypted body, however malformed, throws anything but the one error", async () => {
  const original = Buffer.from(receiveVector("private-status").body);
  const key = privateKeyOf("bob");
  await fc.assert(
    fc.asyncProperty(mutation, async (change) => {
      try {
        const xml = await decryptEnvelope(mutate(original, change), key);
        assert.equal(typeof xml, "string");
      } catch (error) {
        assert.ok(error instanceof DiasporaError, String(error));
        assert.equal(error.message, "The message cannot be decrypted");
      }
    }),
    { seed: SEED, numRuns: 1000, interruptAfterTimeLimit: BUDGET_MS },
  );
});
