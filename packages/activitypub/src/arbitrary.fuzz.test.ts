import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { ActivityPubError } from "./errors.ts";
import { parseJson } from "./json/json.ts";
import type { JsonObject, JsonValue } from "./json/json-types.ts";
import { READERS } from "../test/fuzz-targets.ts";
import { activityPubLink, parseJrd } from "./webfinger.ts";

/** Calls a reader; true when it returned, false when it refused with our error. */
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

describe("reading arbitrary input", () => {
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
