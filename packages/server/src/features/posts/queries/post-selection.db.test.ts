import assert from "node:assert/strict";
import { test } from "node:test";
import type { KyselyPlugin } from "kysely";
import { openTestDatabase } from "../../../../test/support/server/databases.ts";
import type { Reader } from "../../../db/db.ts";
import type { PersonId, PostId, UserId } from "../../ids.ts";
import { listSelected, listTexts } from "./post-selection.ts";

const VIEWER = { personId: 1 as PersonId, userId: 1 as UserId };

/** Returns SQLite's query plan for the one query that `run` executes. */
async function planOf(
  reader: Reader,
  run: (watched: Reader) => Promise<unknown>,
): Promise<string[]> {
  const plans: string[] = [];
  const watch: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => {
      const query = reader.getExecutor().compileQuery(node, queryId);
      plans.push(query.sql);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  await run(reader.withPlugin(watch));
  const [text] = plans;
  assert.ok(text !== undefined);
  const { rows } = await reader.executeQuery<{ detail: string }>({
    ...reader.selectFrom("posts").select("id").compile(),
    sql: `explain query plan ${text}`,
  });
  return rows.map(({ detail }) => detail);
}

test("lists of posts look up what they need, and scan no table", async () => {
  const { db, close } = await openTestDatabase("sqlite");
  const page = { offset: 0, limit: 10 };
  const selection = {
    tags: ["a", "b"],
    people: [1 as PersonId],
    ids: [1 as PostId],
  };
  const plans = [
    await planOf(db.read, (it) => listSelected(it, VIEWER, selection, page)),
    await planOf(db.read, (it) =>
      listSelected(it, null, { tags: ["a"] }, page),
    ),
    await planOf(db.read, (it) => listTexts(it, VIEWER, null, 10)),
  ];
  for (const plan of plans) {
    assert.ok(plan.some((step) => step.startsWith("SEARCH posts")));
    const scans = plan.filter((step) => step.startsWith("SCAN"));
    // The inner queries yield no more rows than the page needs.
    for (const scan of scans) assert.match(scan, /^SCAN (source|wanted)$/);
  }
  await close();
});
