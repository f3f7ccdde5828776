import { test } from "node:test";
import { assertFromPictureToPicture } from "../../../../test/support/scenes/query-plans.ts";
import { listPostsOf } from "./own-posts.ts";

test("posts with pictures are found from picture to picture, in the order of the list", async () => {
  await assertFromPictureToPicture(
    { index: "photos_person_post", lookUp: /^SEARCH posts USING .*\bid=\?\)$/ },
    (...asked) => listPostsOf(...asked, { withPhotos: true }),
  );
});
