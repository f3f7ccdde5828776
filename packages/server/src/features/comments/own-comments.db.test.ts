import { test } from "node:test";
import { assertFromPictureToPicture } from "../../../test/support/scenes/query-plans.ts";
import type { PersonId } from "../ids.ts";
import { listCommentsOf } from "./own-comments.ts";

const PERSON = 1 as PersonId;

test("comments with pictures are found from picture to picture, in the order of the list", async () => {
  await assertFromPictureToPicture(
    {
      index: /photos_person_comment \(person_id=\?/,
      lookUp: /^SEARCH comments USING INDEX \S+ \(id=\?\)/,
    },
    (reader, viewer, page) =>
      listCommentsOf(reader, PERSON, viewer, page, { withPhotos: true }),
  );
});
