import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { buildNote } from "./build-note.ts";
import type { JsonObject, JsonValue } from "../json/json-types.ts";
import { readNote } from "../read/read-note.ts";
import { GUID, noteInput, wire } from "../../test/notes.ts";

/** All nested values, to check for forbidden ones. */
function* walk(value: JsonValue | undefined): Generator<JsonValue | undefined> {
  yield value;
  if (typeof value === "object" && value !== null) {
    for (const inner of Object.values(value)) yield* walk(inner);
  }
}

describe("buildNote", () => {
  test("writes all members, and round-trips", () => {
    const built = buildNote(noteInput);
    assert.equal(built["published"], "2026-06-15T10:00:00Z");
    assert.equal(built["diaspora:guid"], GUID);
    assert.deepEqual(built["contentMap"], { en: "<p>hi</p>" });
    assert.deepEqual(built["source"], {
      content: "hi",
      mediaType: "text/markdown",
    });
    assert.equal(built["conversation"], built["context"]);
    assert.equal(
      "updated" in built || "summary" in built || "inReplyTo" in built,
      false,
    );
    const read = readNote(wire(built));
    assert.deepEqual(
      [read.id, read.content, read.language, read.guid, read.context, read.url],
      [noteInput.id, "<p>hi</p>", "en", GUID, noteInput.context, noteInput.url],
    );
    assert.deepEqual(read.attachments, [
      {
        type: "Image",
        mediaType: "image/png",
        url: "https://kith.example/1.png",
        name: "a cat",
        width: 2,
        height: 1,
        focalPoint: [0, 0],
      },
    ]);
    assert.deepEqual(read.tags, noteInput.tags);
  });

  test("a sound and a video say how long they are", () => {
    const url = "https://kith.example/1.mp4";
    const files = [
      { mediaType: "video/mp4", url, width: 64, height: 48, seconds: 61.5 },
      { mediaType: "audio/mpeg", url, seconds: 2 },
    ];
    const built = buildNote({
      ...noteInput,
      attachments: files.map(({ seconds: durationSeconds, ...file }) => ({
        ...file,
        durationSeconds,
      })),
    });
    const [video, sound] = built["attachment"] as JsonObject[];
    assert.deepEqual(
      [video?.["type"], video?.["duration"]],
      ["Video", "PT61.5S"],
    );
    assert.deepEqual([sound?.["type"], sound?.["duration"]], ["Audio", "PT2S"]);
    const { attachments } = readNote(built);
    assert.deepEqual(
      attachments.map(({ durationSeconds }) => durationSeconds),
      [61.5, 2],
    );
  });

  test("adds the place, with whole degrees as Mobilizon reads them", () => {
    const place = { name: "Equator", latitude: 0, longitude: 16.373819 };
    const built = buildNote({ ...noteInput, place });
    assert.deepEqual(built["location"], {
      type: "Place",
      name: "Equator",
      latitude: 1e-7,
      longitude: 16.373819,
    });
    assert.deepEqual(readNote(wire(built)).place, place);
    assert.equal("location" in buildNote(noteInput), false);
  });

  test("has arrays where peers expect them, and no null", () => {
    const { tags: _tags, attachments: _attachments, ...bare } = noteInput;
    const built = buildNote({ ...bare, to: [], cc: [] });
    for (const name of ["to", "cc", "tag", "attachment"]) {
      assert.deepEqual(built[name], [], name);
    }
    for (const value of walk(buildNote(noteInput))) {
      assert.notEqual(value, null);
      assert.notEqual(value, undefined);
    }
  });

  test("describes pictures under both names, and links by href", () => {
    const built = buildNote({
      ...noteInput,
      attachments: [
        { mediaType: "image/png", url: "https://h.example/1.png", name: "x" },
        {
          type: "Link",
          mediaType: "text/html",
          url: "https://h.example/",
          name: "Website",
        },
        { mediaType: "application/pdf", url: "https://h.example/1.pdf" },
      ],
    });
    assert.deepEqual(built["attachment"], [
      {
        type: "Image",
        mediaType: "image/png",
        url: "https://h.example/1.png",
        name: "x",
        summary: "x",
      },
      {
        type: "Link",
        mediaType: "text/html",
        href: "https://h.example/",
        name: "Website",
      },
      {
        type: "Document",
        mediaType: "application/pdf",
        url: "https://h.example/1.pdf",
      },
    ]);
  });

  test("throws a RangeError for an invalid time", () => {
    assert.throws(
      () => buildNote({ ...noteInput, published: "now" }),
      RangeError,
    );
  });
});
