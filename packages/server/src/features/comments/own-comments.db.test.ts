import assert from "node:assert/strict";
import { test } from "node:test";
import { openTestDatabase } from "../../../test/support/server/databases.ts";
import { planOnSqlite } from "../../../test/support/scenes/query-plans.ts";
import type { PersonId, UserId } from "../ids.ts";
import type { Page } from "../page.ts";
import type { Viewer } from "../visibility/index.ts";
import { listCommentsOf } from "./own-comments.ts";

const [PERSON, READER] = [1 as PersonId, 2 as PersonId];
const VIEWERS: readonly Viewer[] = [
  null,
  { personId: READER, userId: 2 as UserId },
];
const PAGES: readonly Page[] = [
  { offset: 0, limit: 20 },
  { offset: 0, limit: 20, before: 1_000 },
  { offset: 0, limit: 20, after: 1_000 },
];

test("comments with pictures are found from picture to picture, in the order of the list", async () => {
  const { db, close } = await openTestDatabase("sqlite");
  for (const viewer of VIEWERS)
    for (const page of PAGES) {
      const [first = "", ...rest] = await planOnSqlite(db, (reader) =>
        listCommentsOf(reader, PERSON, viewer, page, { withPhotos: true }),
      );
      assert.match(
        first,
        /^SEARCH photos USING (COVERING )?INDEX photos_person_comment \(person_id=\?/,
      );
      for (const step of rest)
        assert.doesNotMatch(step, /^SCAN|TEMP B-TREE|comments_person/, step);
      assert.ok(
        rest.some((it) =>
          /^SEARCH comments USING INDEX \S+ \(id=\?\)/.test(it),
        ),
        rest.join("\n"),
      );
    }
  await close();
});
