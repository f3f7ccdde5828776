import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { ActivityPubError } from "./errors.ts";
import { isJsonArray, isJsonObject, parseJson } from "./json/json.ts";
import type { JsonObject } from "./json/json-types.ts";
import { readActivity } from "./read/read-activity.ts";
import type { Activity } from "./read/read-activity.ts";
import { readActor } from "./read/read-actor.ts";
import { readCollection } from "./read/read-collection.ts";
import { readKeyDocument } from "./read/read-key.ts";
import { readNote } from "./read/read-note.ts";
import type { Note } from "./read/read-note.ts";
import { readIntegrityProof } from "./proofs/integrity-proof.ts";
import { sampleBytes, sampleNames } from "../test/vectors.ts";

const READERS: ((json: JsonObject) => unknown)[] = [
  readActivity,
  readActor,
  readNote,
  readCollection,
  readIntegrityProof,
  (json) => readKeyDocument(json, "https://evil.example/keys/1"),
];

/** Runs every reader on every nested object, since a hostile peer could place any of them anywhere. */
function readEverything(json: JsonObject): number {
  let understood = 0;
  for (const read of READERS) {
    try {
      if (read(json) !== undefined) understood += 1;
    } catch (error) {
      assert.ok(error instanceof ActivityPubError, String(error));
    }
  }
  for (const value of Object.values(json)) {
    for (const item of isJsonArray(value) ? value : [value]) {
      if (isJsonObject(item)) understood += readEverything(item);
    }
  }
  return understood;
}

function activity(name: string): Activity {
  return readActivity(parseJson(sampleBytes(name)));
}

function note(name: string): Note {
  const embedded = activity(name).object?.embedded;
  assert.ok(embedded);
  return readNote(embedded);
}

describe("sample payloads", () => {
  for (const name of sampleNames()) {
    test(`${name} is read without a crash`, () => {
      if (name === "evil-deep-nesting") {
        assert.throws(() => parseJson(sampleBytes(name)), {
          code: "malformed_json",
        });
        return;
      }
      const understood = readEverything(parseJson(sampleBytes(name)));
      if (!name.startsWith("evil-")) assert.ok(understood > 0);
    });
  }

  test("all sample payloads are present", () => {
    assert.equal(sampleNames().length, 101);
  });

  test("the documents served by the index are read too", () => {
    const index = JSON.parse(
      readFileSync(
        new URL(
          "../../../test/vectors/activitypub/index.json",
          import.meta.url,
        ),
        "utf8",
      ),
    ) as { actors: unknown; cases: { documents?: object }[] };
    const bodies = [index.actors, ...index.cases.map((c) => c.documents)]
      .flatMap((group) => Object.values(group ?? {}) as unknown[])
      .map((entry) =>
        typeof entry === "object" && entry !== null && "body" in entry
          ? entry.body
          : entry,
      )
      .filter((body) => typeof body === "object" && body !== null);
    assert.ok(bodies.length > 20);
    for (const body of bodies) {
      readEverything(parseJson(Buffer.from(JSON.stringify(body))));
    }
  });
});

describe("attacks in samples", () => {
  test("two types are refused", () => {
    assert.throws(() => activity("evil-type-confusion-array"), {
      code: "not_an_activity",
    });
  });

  test("member names do not reach a prototype", () => {
    const json = parseJson(sampleBytes("evil-proto-pollution"));
    // It inherits nothing, before and after.
    const inherited = Object.getPrototypeOf(json) as object;
    assert.deepEqual(Reflect.ownKeys(inherited), []);
    assert.equal(Object.getPrototypeOf(inherited), null);
    assert.ok(Object.isFrozen(inherited));
    assert.equal(Object.hasOwn(json, "__proto__"), false);
    const object = json["object"];
    assert.ok(isJsonObject(object));
    assert.equal(Object.hasOwn(object, "constructor"), false);
    assert.equal(Object.hasOwn(Object.prototype, "isAdmin"), false);
  });

  test("the plain reading decides, regardless of the context", () => {
    assert.equal(
      activity("evil-context-redefines-actor").actor,
      "https://evil.example/users/mallory",
    );
  });

  test("a page URL is http(s), and on the host of the id", () => {
    assert.equal(note("evil-javascript-url-in-url").url, undefined);
    assert.equal(note("evil-url-on-other-host").url, undefined);
  });
});
