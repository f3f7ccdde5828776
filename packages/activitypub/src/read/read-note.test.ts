import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { JsonObject } from "../json/json-types.ts";
import { readNote } from "./read-note.ts";

const ACTOR = "https://peer.example/users/bob";

const noteJson = (over: JsonObject = {}): JsonObject => ({
  id: "https://peer.example/notes/1",
  type: "Note",
  attributedTo: ACTOR,
  ...over,
});

describe("readNote", () => {
  test("texts can be stored", () => {
    const read = readNote(
      noteJson({ content: "a\0b\ud800c", name: null, summary: "" }),
    );
    assert.equal(read.content, "ab\ufffdc");
    assert.equal("name" in read || "summary" in read, false);
  });

  test("times are converted to UTC", () => {
    const times = {
      "2026-06-15T12:00:00+02:00": "2026-06-15T10:00:00.000Z",
      "2026-06-15T10:00:00.123456Z": "2026-06-15T10:00:00.123Z",
      "2026-06-15T10:00:00": "2026-06-15T10:00:00.000Z",
      "2026-06-15 10:00:00+0000": "2026-06-15T10:00:00.000Z",
    };
    for (const [sent, read] of Object.entries(times)) {
      assert.equal(
        readNote(noteJson({ published: sent })).published,
        read,
        sent,
      );
    }
    for (const broken of [
      "yesterday",
      "2026-13-45T10:00:00Z",
      "+275760-09-13T00:00:00Z",
      7,
      "",
    ]) {
      assert.equal(
        readNote(noteJson({ published: broken })).published,
        undefined,
      );
    }
  });

  test("PeerTube: authors as objects, Markdown, links for url, tags without a prefix", () => {
    const read = readNote({
      id: "https://peertube.example/videos/1",
      type: "Video",
      name: "Bees",
      mediaType: "text/markdown",
      content: "**Bees**",
      attributedTo: [
        { type: "Person", id: "https://peertube.example/accounts/lou" },
        { type: "Group", id: "https://peertube.example/video-channels/lou" },
      ],
      url: [
        {
          type: "Link",
          mediaType: "video/mp4",
          href: "https://peertube.example/1.mp4",
        },
        {
          type: "Link",
          mediaType: "text/html",
          href: "https://peertube.example/w/1",
        },
      ],
      tag: [
        { type: "Hashtag", name: "bees" },
        null,
        "odd",
        { type: "Hashtag" },
      ],
    });
    assert.equal(read.attributedTo, "https://peertube.example/accounts/lou");
    assert.equal(read.mediaType, "text/markdown");
    assert.equal(read.url, "https://peertube.example/w/1");
    assert.deepEqual(read.tags, [{ type: "Hashtag", name: "bees" }]);
  });

  test("source as string, conversation as context, content only in the map", () => {
    const read = readNote(
      noteJson({
        source: "plain",
        conversation: "tag:x",
        contentMap: { und: "hallo" },
      }),
    );
    assert.deepEqual(read.source, {
      content: "plain",
      mediaType: "text/plain",
    });
    assert.equal(read.context, "tag:x");
    assert.equal(read.content, "hallo");
    assert.equal("language" in read, false);
  });

  test("the language of a text comes from the most specific source", () => {
    const content = "<p>olá</p>";
    const context = ["https://www.w3.org/ns/activitystreams"];
    const inContext = [
      ...context,
      { "@language": "und" },
      { "@language": "nl" },
    ];
    for (const [members, language] of [
      [{ contentMap: { en: "hello", pt: content }, inLanguage: "fr" }, "pt"],
      [{ language: { identifier: "da" }, inLanguage: "fr" }, "da"],
      [{ inLanguage: "fr", summaryMap: { es: "?" } }, "fr"],
      [{ summary: "?", summaryMap: { es: "?" }, "@context": inContext }, "es"],
      [{ name: "?", nameMap: { it: "?" }, "@context": inContext }, "it"],
      [{ "@context": inContext }, "nl"],
      [
        { contentMap: { und: content }, "@context": { "@language": "sv" } },
        "sv",
      ],
      [{ "@context": [...inContext, { "@language": null }] }, undefined],
      [{ inLanguage: "no tag", "@context": context }, undefined],
      [{ inLanguage: { identifier: "fr" }, language: "fr" }, undefined],
    ] as const) {
      const read = readNote(noteJson({ content, ...members }));
      assert.equal(read.language, language, JSON.stringify(members));
    }
  });

  test("a focal point is within the image", () => {
    const url = "https://peer.example/1.png";
    for (const [point, read] of [
      [
        [-1, 1],
        [-1, 1],
      ],
      [
        [0, 0],
        [0, 0],
      ],
      [[NaN, 0], undefined],
      [[0, Infinity], undefined],
      [[1.01, 0], undefined],
      [["0", "0"], undefined],
      [[0], undefined],
      [{ x: 0, y: 0 }, undefined],
    ] as const) {
      const attachment = { type: "Image", url, focalPoint: point };
      const [picture] = readNote(noteJson({ attachment })).attachments;
      assert.deepEqual(picture?.focalPoint, read);
    }
  });

  test("at most a hundred tags and attachments are read, and only displayable ones", () => {
    const read = readNote(
      noteJson({
        tag: Array.from({ length: 500 }, () => ({
          type: "Mention",
          href: ACTOR,
        })),
        attachment: [
          { type: "Image", url: "javascript:x" },
          { type: "PropertyValue", name: "a", value: "b" },
          {
            type: "Image",
            url: "https://peer.example/1.png",
            width: -5,
            height: 1.5,
            focalPoint: [2, 0],
          },
        ],
      }),
    );
    assert.equal(read.tags.length, 100);
    assert.deepEqual(read.attachments, [
      { type: "Image", url: "https://peer.example/1.png", height: 1 },
    ]);
  });

  test("refuses other objects", () => {
    for (const over of [
      { id: null },
      { id: [] },
      { type: "Person" },
      { type: ["Note", "Article"] },
      { attributedTo: null },
      { attributedTo: "bob" },
    ]) {
      assert.throws(() => readNote(noteJson(over)), {
        code: "not_an_object",
      });
    }
  });
});
