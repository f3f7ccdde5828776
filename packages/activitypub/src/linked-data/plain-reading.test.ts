import assert from "node:assert/strict";
import { test } from "node:test";
import fs from "node:fs";
import { readPlainly } from "./plain-reading.ts";
import { withContext } from "../context.ts";
import { readActivity } from "../read/read-activity.ts";
import { readNote } from "../read/read-note.ts";
import { parseJson } from "../json/json.ts";
import type { JsonObject } from "../json/json-types.ts";
import { jsonLd } from "../../test/json-ld.ts";

const AS = "https://www.w3.org/ns/activitystreams";
const PUBLIC = `${AS}#Public`;
const note: JsonObject = {
  id: "https://peer.example/n/1",
  type: "Note",
  attributedTo: "https://peer.example/u",
  to: [PUBLIC],
  content: "<p>x</p>",
};
const create: JsonObject = {
  "@context": AS,
  id: "https://peer.example/a/1",
  type: "Create",
  actor: "https://peer.example/u",
  to: [PUBLIC],
  object: note,
};

test("a document without renamed terms comes back as the same object", async () => {
  const mobilizon: JsonObject = {
    ...create,
    "@context": [
      AS,
      "https://unknown.example/context",
      {
        sc: "http://schema.org#",
        Hashtag: "as:Hashtag",
        location: { "@id": "sc:location", "@type": "sc:Place" },
        movedTo: { "@id": "as:movedTo", "@type": "@id" },
        sensitive: "as:sensitive",
        "@language": "de",
        id: "@id",
        type: "@type",
      },
    ],
  };
  for (const document of [create, mobilizon, withContext(create), note])
    assert.equal(await readPlainly(document, jsonLd), document);
});

test("no vector of a peer is changed or refused", async () => {
  const folder = new URL(
    "../../../../test/vectors/activitypub/",
    import.meta.url,
  );
  let read = 0;
  for (const name of fs.readdirSync(folder)) {
    if (!name.endsWith(".json") || /^(evil-|index|signatures)/.test(name))
      continue;
    const document = parseJson(fs.readFileSync(new URL(name, folder)));
    assert.equal(await readPlainly(document, jsonLd), document, name);
    read += 1;
  }
  assert.ok(read > 50);
});

test("renamed terms are read under their usual names", async () => {
  const document: JsonObject = {
    ...create,
    "@context": [
      AS,
      {
        a: `${AS}#`,
        inhalt: "as:content",
        antwortAuf: { "@id": "a:inReplyTo", "@type": "@id" },
        art: "@type",
        vorname: "https://peer.example/ns#vorname",
      },
    ],
    object: {
      id: "https://peer.example/n/1",
      art: "Note",
      attributedTo: "https://peer.example/u",
      to: PUBLIC,
      inhalt: "<p>hallo</p>",
      antwortAuf: "https://kith.example/o/1",
      sensitive: true,
    },
  };
  const activity = readActivity(await readPlainly(document, jsonLd));
  assert.ok(activity.object?.embedded);
  const read = readNote(activity.object.embedded);
  assert.equal(read.content, "<p>hallo</p>");
  assert.equal(read.inReplyTo, "https://kith.example/o/1");
  assert.equal(read.attributedTo, "https://peer.example/u");
  assert.equal(read.sensitive, true);
});

const evil = "https://evil.example/u";
const other: Record<string, JsonObject> = {
  "a second actor": {
    "@context": [AS, { author: { "@id": "as:actor", "@type": "@id" } }],
    author: evil,
  },
  "an actor that is none": {
    "@context": [AS, { actor: "https://evil.example/ns#x" }],
  },
  "an actor without meaning": { "@context": [AS, { actor: null }] },
  "a second audience": {
    "@context": [AS, { an: { "@id": "as:to", "@type": "@id" } }],
    an: evil,
  },
  "a second id": { "@context": [AS, { nummer: "@id" }], nummer: evil },
  "an author within the object": {
    object: {
      "@context": [AS, { von: { "@id": "as:attributedTo", "@type": "@id" } }],
      ...note,
      von: evil,
    },
  },
  "a context within a term": {
    "@context": [
      AS,
      {
        Note: {
          "@id": "as:Note",
          "@context": { von: { "@id": "as:attributedTo", "@type": "@id" } },
        },
      },
    ],
    object: { ...note, von: evil },
  },
  "something turned round": {
    "@context": [AS, { macht: { "@reverse": "as:actor" } }],
    macht: { id: "https://evil.example/a/2", object: evil },
    actor: [],
  },
};
for (const [what, members] of Object.entries(other))
  test(`refused: ${what}`, async () => {
    await assert.rejects(readPlainly({ ...create, ...members }, jsonLd), {
      code: "unsupported",
    });
  });

test("refused: a document that needs JSON-LD processing and is not JSON-LD", async () => {
  const document = {
    ...create,
    "@context": [AS, { inhalt: "as:content", x: 7 }],
  };
  await assert.rejects(readPlainly(document, jsonLd), { code: "unsupported" });
});
