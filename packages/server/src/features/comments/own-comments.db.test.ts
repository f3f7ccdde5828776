import { test } from "node:test";
import { assertFromPictureToPicture } from "../../../test/support/scenes/query-plans.ts";
import { listCommentsOf } from "./own-comments.ts";

test("comments with pictures are found from picture to picture, in the order of the list", async () => {
  await assertFromPictureToPicture(
    {
      index: "photos_person_comment",
      lookUp: /^SEARCH comments USING INDEX \S+ \(id=\?\)/,
    },
    (...asked) => listCommentsOf(...asked, { withPhotos: true }),
  );
});
