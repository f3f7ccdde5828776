import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { readAudience } from "./audience.ts";
import { ActivityPubError } from "./errors.ts";
import { readIntegrityProof, verifyIntegrityProof } from "./integrity-proof.ts";
import { isJsonObject, parseJson } from "./json.ts";
import type { JsonObject, JsonValue } from "./json-types.ts";
import { readActivity } from "./read-activity.ts";
import { readActor } from "./read-actor.ts";
import { readCollection } from "./read-collection.ts";
import { readKeyDocument } from "./read-key.ts";
import { readNote } from "./read-note.ts";
import { ed25519 } from "../test/requests.ts";
import { sampleBytes, sampleNames } from "../test/vectors.ts";
import { activityPubLink, parseJrd } from "./webfinger.ts";

const READERS: ((json: JsonObject) => unknown)[] = [
  readActivity,
  readActor,
  readNote,
  readCollection,
  readIntegrityProof,
  (json) => verifyIntegrityProof(json, ed25519.publicKey),
  (json) =>
    readKeyDocument(json, "https://mastodon.example/users/carol#main-key"),
  (json) => {
    const { to, cc } = readActivity(json);
    return readAudience(
      to,
      cc,
      "https://mastodon.example/users/carol/followers",
    );
  },
];

/** Calls a reader; true when it returned, false when it refused in the agreed way. */
function survives(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch (error) {
    assert.ok(error instanceof ActivityPubError, String(error));
    return false;
  }
}

const NAMES = [
  "id",
  "type",
  "actor",
  "object",
  "attributedTo",
  "to",
  "cc",
  "content",
  "contentMap",
  "source",
  "tag",
  "attachment",
  "url",
  "href",
  "icon",
  "image",
  "name",
  "summary",
  "published",
  "publicKey",
  "publicKeyPem",
  "publicKeyMultibase",
  "assertionMethod",
  "owner",
  "inbox",
  "endpoints",
  "sharedInbox",
  "preferredUsername",
  "items",
  "first",
  "next",
  "totalItems",
  "proof",
  "proofValue",
  "cryptosuite",
  "focalPoint",
  "width",
  "diaspora:guid",
  "@context",
  "quote",
  "webfinger",
  "alsoKnownAs",
];
const TEXTS = [
  "https://a.example/1",
  "https://a.example/1#k",
  "Note",
  "Person",
  "Create",
  "Collection",
  "Multikey",
  "DataIntegrityProof",
  "eddsa-jcs-2022",
  "assertionMethod",
  "as:Public",
  "z6Mkj6u11W1RFXzr8jwkqpSQ2JXPc4CHF1ztoNGc4dPSRyTh",
  "2026-06-15T10:00:00Z",
  "",
  "\ud800",
  "\0",
  "javascript:x",
  "https://",
];

const { document } = fc.letrec<{ document: JsonObject; value: JsonValue }>(
  (tie) => ({
    document: fc.dictionary(
      fc.oneof(
        { weight: 9, arbitrary: fc.constantFrom(...NAMES) },
        fc.string(),
      ),
      tie("value"),
      { maxKeys: 8 },
    ),
    value: fc.oneof(
      { depthSize: "small" },
      fc.constantFrom(...TEXTS),
      fc.constant(null),
      fc.boolean(),
      fc.double({ noNaN: true }),
      fc.string({ unit: "binary" }),
      fc.array(tie("value"), { maxLength: 4 }),
      tie("document"),
    ),
  }),
);

describe("reading what nobody sends", () => {
  test("arbitrary documents raise nothing but ActivityPubError", () => {
    fc.assert(
      fc.property(document, (json) => {
        for (const read of READERS) survives(() => read(json));
      }),
      { numRuns: 3000 },
    );
  });

  test("arbitrary bytes raise nothing but ActivityPubError", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        survives(() => parseJson(bytes));
        survives(() => activityPubLink(parseJrd(bytes)));
      }),
      { numRuns: 3000 },
    );
  });
});

/** A small generator with a seed (mulberry32): failures can be repeated. */
function generator(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const SPLICES = [
  "null",
  "[]",
  "{}",
  '""',
  "-1",
  "1e308",
  '"\\ud800"',
  "[[[[[[]]]]]]",
  '{"id":[]}',
  '["https://a.example/",7]',
  "true",
  ",",
  "}",
  '"',
  "\\",
];

function mutate(
  bytes: Uint8Array,
  random: (below: number) => number,
): Uint8Array {
  const text = Buffer.from(bytes);
  for (let times = 1 + random(4); times > 0; times -= 1) {
    const at = random(text.length);
    const byte = text[at] ?? 0;
    if (random(3) > 0) text[at] = byte ^ (1 << random(7));
    else text[at] = 0x20 + random(0x5f);
  }
  if (random(2) === 0) return text;
  // A whole value in the place of another one keeps the rest well-formed more often than single bytes do.
  const values = [
    ...text
      .toString("latin1")
      .matchAll(/:\s*("(?:[^"\\]|\\.)*"|null|true|false|\d+|\[\])/g),
  ];
  const value = values[random(Math.max(values.length, 1))];
  if (value === undefined) return text;
  const splice = Buffer.from(`:${SPLICES[random(SPLICES.length)] ?? ""}`);
  const end = value.index + value[0].length;
  return Buffer.concat([
    text.subarray(0, value.index),
    splice,
    text.subarray(end),
  ]);
}

test("mutated samples raise nothing but ActivityPubError", () => {
  const samples = sampleNames().map(sampleBytes);
  const random = generator(20_260_615);
  const until = performance.now() + 2000;
  let runs = 0;
  let parsed = 0;
  for (; runs <= 2000 || performance.now() < until; runs += 1) {
    const bytes = mutate(
      samples[random(samples.length)] ?? Buffer.from("{}"),
      random,
    );
    let json: JsonObject | undefined;
    survives(() => (json = parseJson(bytes)));
    if (json === undefined) continue;
    parsed += 1;
    const objects = [json, ...Object.values(json).filter(isJsonObject)];
    for (const object of objects) {
      for (const read of READERS) survives(() => read(object));
    }
  }
  assert.ok(parsed > 100, `${runs} runs, ${parsed} parsed`);
});
