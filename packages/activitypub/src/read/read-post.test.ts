import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { JsonObject } from "../json/json-types.ts";
import { readPost } from "./read-post.ts";
import { refused, sampleObject } from "../../test/samples.ts";

const postJson = (over: JsonObject): JsonObject => ({
  id: "https://peer.example/posts/1",
  attributedTo: "https://peer.example/users/bob",
  ...over,
});

describe("posts of every type in one shape", () => {
  test("Note: a summary is a warning", () => {
    const post = readPost(sampleObject("mastodon-create-reply-with-warning"));
    assert.ok(post.warning);
    assert.equal(post.teaser, undefined);
    assert.equal(post.format, "html");
  });

  test("Article: a summary is a teaser, a name the title", () => {
    const post = readPost(sampleObject("wordpress-create-article"));
    assert.deepEqual(
      [post.title, post.teaser, post.warning],
      ["A long read", "<p>Teaser…</p>", undefined],
    );
  });

  test("Page: Lemmy's post with its link", () => {
    const create = sampleObject("lemmy-announce-create-page")["object"];
    const post = readPost(create as JsonObject);
    assert.deepEqual(
      [post.type, post.title, post.language],
      ["Page", "Best soil?", "en"],
    );
    assert.deepEqual(
      post.links.map(({ url }) => url),
      ["https://soil.example/a"],
    );
    assert.deepEqual(post.media, []);
  });

  test("Video: the files of PeerTube, the widest first, including those of a playlist", () => {
    const file = (height: number): JsonObject => ({
      type: "Link",
      mediaType: "video/mp4",
      href: `https://peertube.example/${height}.mp4`,
      height,
      width: height * 2,
    });
    const post = readPost(
      postJson({
        type: "Video",
        name: "Bees",
        mediaType: "text/markdown",
        content: "**Bees**",
        duration: "PT1H2M3S",
        icon: [{ type: "Image", url: "https://peertube.example/1.jpg" }],
        url: [
          {
            type: "Link",
            mediaType: "text/html",
            href: "https://peer.example/w/1",
          },
          file(240),
          {
            type: "Link",
            mediaType: "application/x-mpegURL",
            href: "https://peertube.example/master.m3u8",
            tag: [
              file(720),
              { type: "Infohash", name: "abc" },
              {
                type: "Link",
                mediaType: "application/json",
                href: "https://peertube.example/sha",
              },
            ],
          },
        ],
      }),
    );
    assert.deepEqual(
      [post.title, post.text, post.format, post.url, post.durationSeconds],
      ["Bees", "**Bees**", "markdown", "https://peer.example/w/1", 3723],
    );
    assert.equal(post.preview?.url, "https://peertube.example/1.jpg");
    assert.deepEqual(post.media[0], {
      type: "Video",
      mediaType: "video/mp4",
      url: "https://peertube.example/720.mp4",
      name: "Bees",
      width: 1440,
      height: 720,
    });
    assert.equal(post.media.length, 2);
  });

  test("Image and Audio: the object is the file", () => {
    const image = readPost(
      postJson({
        type: "Image",
        name: "A cat",
        mediaType: "image/png",
        url: "https://peer.example/1.png",
        width: 20,
        blurhash: "abc",
      }),
    );
    assert.equal(image.format, "html");
    assert.deepEqual(image.media, [
      {
        type: "Image",
        mediaType: "image/png",
        url: "https://peer.example/1.png",
        name: "A cat",
        width: 20,
        blurhash: "abc",
      },
    ]);
    const audio = readPost(
      postJson({
        type: "Audio",
        url: { mediaType: "audio/ogg", href: "https://peer.example/1.ogg" },
        attachment: [{ type: "Image", url: "https://peer.example/cover.png" }],
      }),
    );
    assert.deepEqual(
      audio.media.map(({ type }) => type),
      ["Audio", "Image"],
    );
  });

  test("a page is not a file, and a script is not a URL", () => {
    for (const url of [
      "https://peer.example/w/1",
      { mediaType: "video/mp4", href: "javascript:x" },
      { mediaType: "image/png", href: "https://peer.example/1.png" },
    ]) {
      assert.deepEqual(readPost(postJson({ type: "Video", url })).media, []);
    }
    const document = { type: "Document", mediaType: "application/pdf" };
    const url = "https://peer.example/1.pdf";
    assert.equal(readPost(postJson({ ...document, url })).media.length, 1);
  });

  test("an invalid duration is dropped", () => {
    const of = (duration: string) =>
      readPost(postJson({ type: "Video", duration })).durationSeconds;
    assert.equal(of("PT121S"), 121);
    assert.equal(of("P1DT1.5S"), 86_401.5);
    for (const odd of ["P", "PT", "PT0S", "121", "P1Y", "-PT1S"]) {
      assert.equal(of(odd), undefined, odd);
    }
  });

  test("Event and Question are posts as well; an actor is not", () => {
    assert.equal(
      readPost(sampleObject("gancio-create-event")).title,
      "Concert",
    );
    assert.equal(
      readPost(sampleObject("mastodon-create-question")).type,
      "Question",
    );
    assert.throws(
      () => readPost(postJson({ type: "Person" })),
      refused("not_an_object"),
    );
  });
});
