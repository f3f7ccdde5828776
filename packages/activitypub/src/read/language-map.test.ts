import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { buildNote } from "../build/build-note.ts";
import type { JsonObject } from "../json/json-types.ts";
import { readNote } from "./read-note.ts";
import { noteInput, wire } from "../../test/notes.ts";

const noteJson = (over: JsonObject): JsonObject => ({
  id: "https://peer.example/notes/1",
  type: "Note",
  attributedTo: "https://peer.example/users/bob",
  ...over,
});

describe("texts by language", () => {
  test("are read by tag, the first one when the plain member is missing", () => {
    const read = readNote(
      noteJson({
        contentMap: { de: "Hallo", "pt-BR": "Olá" },
        nameMap: { en: "Title" },
        summaryMap: { en: "Warning" },
      }),
    );
    assert.deepEqual(read.contentMap, { de: "Hallo", "pt-BR": "Olá" });
    assert.deepEqual(
      [read.content, read.language, read.name, read.summary],
      ["Hallo", "de", "Title", "Warning"],
    );
  });

  test("invalid tags and texts are dropped", () => {
    const read = readNote(
      noteJson({
        content: "x",
        contentMap: { "not a tag": "a", __proto__x: "b", de: 7, fr: "" },
        nameMap: ["en"],
        summaryMap: null,
      }),
    );
    for (const name of ["contentMap", "nameMap", "summaryMap", "language"]) {
      assert.equal(name in read, false, name);
    }
  });

  test("at most a hundred are read", () => {
    const map = Object.fromEntries(
      Array.from({ length: 300 }, (_, at) => [`x-${at}`, "t"]),
    );
    const many = Object.fromEntries(
      Array.from({ length: 300 }, (_, at) => [`de-${1000 + at}`, "t"]),
    );
    assert.equal(readNote(noteJson({ contentMap: map })).contentMap, undefined);
    const read = readNote(noteJson({ contentMap: many }));
    assert.equal(Object.keys(read.contentMap ?? {}).length, 100);
  });

  test("Lemmy has a separate language member", () => {
    const language = { identifier: "en", name: "English" };
    assert.equal(readNote(noteJson({ language })).language, "en");
    const broken = { identifier: "no tag at all" };
    assert.equal("language" in readNote(noteJson({ language: broken })), false);
  });

  test("are written with the text itself first, followed by translations", () => {
    const built = buildNote({
      ...noteInput,
      translations: { de: "<p>hallo</p>", en: "<p>never</p>" },
    });
    assert.deepEqual(Object.entries(built["contentMap"] ?? {}), [
      ["en", "<p>hi</p>"],
      ["de", "<p>hallo</p>"],
    ]);
    assert.equal(readNote(wire(built)).language, "en");
    const { language: _, ...unknown } = noteInput;
    assert.equal("contentMap" in buildNote(unknown), false);
  });
});
