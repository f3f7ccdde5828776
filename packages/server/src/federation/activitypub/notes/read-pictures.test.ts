import assert from "node:assert/strict";
import { test } from "node:test";
import type { Attachment } from "@kith/activitypub";
import { readPictures } from "./read-pictures.ts";

test("pictures are told by their media type, else by their type", () => {
  const url = "https://pictures.example/1";
  const attachments: (Attachment & { isPicture: boolean })[] = [
    { type: "Document", mediaType: "image/jpeg", url, isPicture: true },
    { type: "Document", mediaType: "IMAGE/PNG", url, isPicture: true },
    { type: "Image", url, isPicture: true },
    { type: "Image", mediaType: "image/svg+xml", url, isPicture: false },
    { type: "Image", mediaType: "video/mp4", url, isPicture: false },
    { type: "Document", mediaType: "text/html", url, isPicture: false },
    { type: "Document", url, isPicture: false },
    { type: "Link", url, isPicture: false },
  ];
  for (const { isPicture, ...attachment } of attachments)
    assert.equal(
      readPictures([attachment]).length,
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
    assert.deepEqual(readPictures([{ type: "Image", url }]), [], host);
  }
});

test("a picture keeps what is said of it", () => {
  const said = { width: 3, height: 2, blurhash: "LEHV6nWB2yk8" };
  const file = { url: "https://pictures.example/1", mediaType: "image/png" };
  const focus: [number, number] = [-0.5, 1];
  const attachment = { type: "Image", name: "A wall", ...file, ...said };
  const [photo] = readPictures([{ ...attachment, focalPoint: focus }]);
  assert.deepEqual(photo, { text: "A wall", ...file, ...said, focus });
});
