import assert from "node:assert/strict";
import { test } from "node:test";
import { readNote, type Attachment } from "@kith/activitypub";
import { readAttachedMedia, readMedia } from "./read-media.ts";

test("pictures are recognized by their media type, else by their type", () => {
  const url = "https://pictures.example/1";
  const attachments: (Attachment & { isPicture: boolean })[] = [
    { type: "Document", mediaType: "image/jpeg", url, isPicture: true },
    { type: "Document", mediaType: "IMAGE/PNG", url, isPicture: true },
    { type: "Image", url, isPicture: true },
    { type: "Image", mediaType: "image/svg+xml", url, isPicture: false },
    { type: "Document", mediaType: "text/html", url, isPicture: false },
    { type: "Document", url, isPicture: false },
    { type: "Link", url, isPicture: false },
  ];
  for (const { isPicture, ...attachment } of attachments)
    assert.equal(
      readAttachedMedia([attachment]).length,
      isPicture ? 1 : 0,
      JSON.stringify(attachment),
    );
});

test("a picture at an address instead of a name is none", () => {
  for (const host of [
    ...["169.254.169.254", "2852039166", "0x7f.1", "9.9.9.9:8080"],
    ...["[::1]", "[::ffff:127.0.0.1]:8080", "[2620:fe::fe]"],
  ]) {
    const url = `https://${host}/1.png`;
    assert.deepEqual(readAttachedMedia([{ type: "Image", url }]), [], host);
  }
});

test("a picture keeps what is said of it", () => {
  const said = { width: 3, height: 2, blurhash: "LEHV6nWB2yk8" };
  const file = { url: "https://pictures.example/1", mediaType: "image/png" };
  const focus: [number, number] = [-0.5, 1];
  const attachment = { type: "Image", name: "A wall", ...file, ...said };
  const [photo] = readAttachedMedia([{ ...attachment, focalPoint: focus }]);
  const durationMs = undefined;
  assert.deepEqual(photo, {
    ...{ text: "A wall", ...file, ...said, focus, durationMs },
  });
});

test("sounds and videos are recognized by their media type, else by their ending", () => {
  const url = "https://media.example/1";
  const kinds: [Attachment, string | undefined][] = [
    [{ type: "Document", mediaType: "video/mp4", url }, "video/mp4"],
    [{ type: "Image", mediaType: "VIDEO/webm", url }, "video/webm"],
    [{ type: "Audio", mediaType: "audio/mpeg", url }, "audio/mpeg"],
    [{ type: "Video", url: `${url}.MP4?a=b` }, "video/mp4"],
    [{ type: "Audio", url: `${url}.mp3` }, "audio/mpeg"],
    [{ type: "Video", url }, undefined],
    [{ type: "Document", url: `${url}.mp4` }, undefined],
    [{ type: "Video", mediaType: "application/x-mpegURL", url }, undefined],
    [{ type: "Audio", mediaType: "audio/mpegurl", url }, undefined],
  ];
  for (const [attachment, mediaType] of kinds)
    assert.equal(
      readAttachedMedia([attachment])[0]?.mediaType,
      mediaType,
      JSON.stringify(attachment),
    );
  const [video] = readAttachedMedia([
    { type: "Video", mediaType: "video/mp4", url, durationSeconds: 2.5 },
  ]);
  assert.equal(video?.durationMs, 2500);
});

test("of a film on PeerTube the file for any connection is shown", () => {
  const link = (height: number) => ({
    type: "Link",
    mediaType: "video/mp4",
    href: `https://tube.example/${height}.mp4`,
    height,
    width: Math.round((height * 16) / 9),
  });
  const film = (heights: readonly number[]) =>
    readNote({
      id: "https://tube.example/videos/1",
      type: "Video",
      name: "A film",
      duration: "PT121S",
      attributedTo: "https://tube.example/accounts/a",
      url: [
        {
          type: "Link",
          mediaType: "text/html",
          href: "https://tube.example/w",
        },
        {
          type: "Link",
          mediaType: "application/x-mpegURL",
          href: "https://tube.example/1.m3u8",
          tag: heights.map(link),
        },
      ],
    });
  const [shown, ...others] = readMedia(film([480, 1080, 720]));
  assert.deepEqual(
    [shown?.url, shown?.height, shown?.durationMs, others],
    ["https://tube.example/720.mp4", 720, 121_000, []],
  );
  assert.equal(readMedia(film([2160, 1080]))[0]?.height, 1080);
  assert.deepEqual(readMedia(film([])), []);
});
