import { test } from "node:test";
import { assertFromPictureToPicture } from "../../../../test/support/scenes/query-plans.ts";
import type { PersonId } from "../../ids.ts";
import { listPostsOf } from "./own-posts.ts";

const PERSON = 1 as PersonId;

test("posts with pictures are found from picture to picture, in the order of the list", async () => {
  await assertFromPictureToPicture(
    {
      index: /photos_person_post \(person_id=\?/,
      lookUp: /^SEARCH posts USING .*\bid=\?\)$/,
    },
    (reader, viewer, page) =>
      listPostsOf(reader, PERSON, viewer, page, { withPhotos: true }),
  );
});
