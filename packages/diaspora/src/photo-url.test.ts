import assert from "node:assert/strict";
import { test } from "node:test";
import { readFixture } from "../test/vectors.ts";
import { parseEntity } from "./entities/parse-entity.ts";
import { PHOTO_PREFIXES, photoUrl } from "./photo-url.ts";
import type { PhotoSize } from "./photo-url.ts";

test("a photo has a file name for each size", () => {
  const photo = parseEntity(readFixture("entities/photo.xml"));
  assert.ok(photo.type === "photo");
  const { remotePhotoPath: path, remotePhotoName: name } = photo;
  assert.equal(photoUrl(photo), `${path}${name}`);
  const sizes = Object.keys(PHOTO_PREFIXES) as PhotoSize[];
  const urls = sizes.map((size) => photoUrl(photo, size));
  assert.deepEqual(urls, [
    `${path}${name}`,
    `${path}thumb_small_${name}`,
    `${path}thumb_medium_${name}`,
    `${path}thumb_large_${name}`,
    `${path}scaled_full_${name}`,
  ]);
});
