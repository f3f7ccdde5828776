import assert from "node:assert/strict";
import { test } from "node:test";
import type { KyselyPlugin } from "kysely";
import { openTestDatabase } from "../../../test/support/server/databases.ts";
import type { Reader } from "../../db/db.ts";
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

/** Returns SQLite's plan for the query of the list. */
async function planOf(
  reader: Reader,
  viewer: Viewer,
  page: Page,
): Promise<string[]> {
  const plans: string[] = [];
  const watch: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => {
      const { sql } = reader.getExecutor().compileQuery(node, queryId);
      plans.push(sql);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const watched = reader.withPlugin(watch);
  await listCommentsOf(watched, PERSON, viewer, page, { withPhotos: true });
  const [text = assert.fail("There was no query")] = plans;
  const { rows } = await reader.executeQuery<{ detail: string }>({
    ...reader.selectFrom("comments").select("id").compile(),
    sql: `explain query plan ${text}`,
  });
  return rows.map(({ detail }) => detail);
}

test("comments with pictures are found from picture to picture, in the order of the list", async () => {
  const { db, close } = await openTestDatabase("sqlite");
  for (const viewer of VIEWERS)
    for (const page of PAGES) {
      const [first = "", ...rest] = await planOf(db.read, viewer, page);
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
