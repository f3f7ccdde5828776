import assert from "node:assert/strict";
import { test } from "node:test";
import { openTestDatabase } from "../../../../test/support/server/databases.ts";
import { planOnSqlite } from "../../../../test/support/scenes/query-plans.ts";
import type { PersonId, PostId, UserId } from "../../ids.ts";
import { listSelected, listTexts } from "./post-selection.ts";

const VIEWER = { personId: 1 as PersonId, userId: 1 as UserId };

test("lists of posts look up what they need, and scan no table", async () => {
  const { db, close } = await openTestDatabase("sqlite");
  const page = { offset: 0, limit: 10 };
  const selection = {
    tags: ["a", "b"],
    people: [1 as PersonId],
    ids: [1 as PostId],
  };
  const plans = [
    await planOnSqlite(db, (it) => listSelected(it, VIEWER, selection, page)),
    await planOnSqlite(db, (it) =>
      listSelected(it, null, { tags: ["a"] }, page),
    ),
    await planOnSqlite(db, (it) => listTexts(it, VIEWER, null, 10)),
  ];
  for (const plan of plans) {
    assert.ok(plan.some((step) => step.startsWith("SEARCH posts")));
    const scans = plan.filter((step) => step.startsWith("SCAN"));
    // The inner queries yield no more rows than the page needs.
    for (const scan of scans) assert.match(scan, /^SCAN (source|wanted)$/);
  }
  await close();
});
