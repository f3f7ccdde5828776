import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openTestDatabase } from "../../../test/support/server/databases.ts";
import { planOnSqlite } from "../../../test/support/scenes/query-plans.ts";
import type { Db, Reader } from "../../db/db.ts";
import { systemClock } from "../../lib/time/clock.ts";
import type { PersonId, UserId } from "../ids.ts";
import {
  listActive,
  listNewest,
  listNewestLocal,
  listReshared,
} from "./directory-queries.ts";

const USER = { personId: 1 as PersonId, userId: 1 as UserId };
const PAGE = { offset: 0, limit: 20 };

let db: Db;
let close: () => Promise<void>;
before(async () => {
  ({ db, close } = await openTestDatabase("sqlite"));
});
after(() => close());

const planOf = async (run: (reader: Reader) => Promise<unknown>) =>
  (await planOnSqlite(db, run)).join("\n");

test("the newest people of the directory are found among those who want to be found", async () => {
  const plan = await planOf((reader) => listNewest(reader, USER, PAGE));
  assert.match(
    plan,
    /^SCAN profiles USING (COVERING )?INDEX profiles_searchable$/m,
  );
  assert.match(plan, /^SEARCH people USING INTEGER PRIMARY KEY \(rowid=\?\)$/m);
  assert.doesNotMatch(plan, /TEMP B-TREE/);
});

test("the newest people here are found among those who have an account", async () => {
  const plan = await planOf((reader) => listNewestLocal(reader, USER, PAGE));
  assert.match(plan, /^SCAN people USING (COVERING )?INDEX people_here$/m);
  assert.doesNotMatch(plan, /TEMP B-TREE/);
});

test("the most active people of the directory are found from the newest public posts", async () => {
  const plan = await planOf((reader) => listActive(reader, USER, false, PAGE));
  assert.match(plan, /^SCAN posts USING COVERING INDEX posts_listed$/m);
  assert.match(plan, /^SEARCH people USING INTEGER PRIMARY KEY \(rowid=\?\)$/m);
});

test("suggestions are found from the latest posts of contacts", async () => {
  const plan = await planOf((reader) =>
    listReshared(reader, USER, 20, systemClock.now()),
  );
  assert.match(
    plan,
    /^SEARCH posts USING INDEX posts_person \(person_id=\? AND id>\?\)$/m,
  );
  assert.match(plan, /^SEARCH people USING INTEGER PRIMARY KEY \(rowid=\?\)$/m);
});
