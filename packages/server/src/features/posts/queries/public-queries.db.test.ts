import assert from "node:assert/strict";
import { test } from "node:test";
import { openTestDatabase } from "../../../../test/support/server/databases.ts";
import { planOnSqlite } from "../../../../test/support/scenes/query-plans.ts";
import type { PersonId, UserId } from "../../ids.ts";
import type { Page } from "../../page.ts";
import { listPublic } from "./public-queries.ts";

const VIEWER = { personId: 1 as PersonId, userId: 1 as UserId };
const PAGES: readonly Page[] = [
  { offset: 0, limit: 20 },
  { offset: 0, limit: 20, before: 1_000 },
  { offset: 0, limit: 20, after: 1_000 },
];

test("public posts with pictures are found from picture to picture, in the order of the list", async () => {
  const { db, close } = await openTestDatabase("sqlite");
  for (const viewer of [null, VIEWER])
    for (const from of ["here", "elsewhere", undefined] as const)
      for (const page of PAGES) {
        const [first = "", ...rest] = await planOnSqlite(db, (reader) =>
          listPublic(reader, viewer, { from, withPhotos: true }, page),
        );
        assert.match(
          first,
          /^SEARCH photos USING (COVERING )?INDEX photos_of_post \(post_id>\? AND post_id<\?\)/,
        );
        for (const step of rest)
          assert.doesNotMatch(step, /^SCAN|TEMP B-TREE/, step);
        assert.ok(
          rest.some((it) => /^SEARCH posts USING .*\b(row)?id=\?\)$/.test(it)),
          rest.join("\n"),
        );
      }
  await close();
});
