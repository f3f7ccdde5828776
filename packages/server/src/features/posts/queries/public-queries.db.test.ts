import { test } from "node:test";
import { assertFromPictureToPicture } from "../../../../test/support/scenes/query-plans.ts";
import { listPublic } from "./public-queries.ts";

for (const from of ["here", "elsewhere", undefined] as const)
  test(`public posts with pictures, from ${from ?? "anywhere"}, are found from picture to picture, in the order of the list`, async () => {
    await assertFromPictureToPicture(
      {
        index: /photos_of_post \(post_id>\? AND post_id<\?\)/,
        lookUp: /^SEARCH posts USING .*\bid=\?\)$/,
      },
      (reader, viewer, page) =>
        listPublic(reader, viewer, { from, withPhotos: true }, page),
    );
  });
