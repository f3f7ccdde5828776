import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { forEachDatabase } from "../../test/support/server/databases.ts";
import type { Tx } from "./db.ts";
import { audiences } from "./migrations/0055-audiences.ts";
import { bringUpToDate } from "./older-database.fixture.ts";
import { loadJson } from "./schema/columns/json-text.ts";

const TIME = "2026-01-01T00:00:00.000Z";

forEachDatabase((kind) => {
  test("posts of an older Kith keep their audiences, with the names of the aspects that are left", async () => {
    await bringUpToDate(kind, audiences, fill, async (db) => {
      const rows = await db.read
        .selectFrom("posts")
        .select(["id", "limited_to", "audience_aspects", "text"])
        .orderBy("id")
        .execute();
      assert.deepEqual(
        rows.map((row) => [
          row.text,
          row.limited_to,
          row.audience_aspects && loadJson(row.audience_aspects),
        ]),
        [
          ["public", null, null],
          ["to an aspect", "aspects", [{ id: 1, name: 'Family "C"' }]],
          ["to a deleted aspect", "aspects", null],
          ["to people", "people", null],
          ["to nobody", "self", null],
          ["from elsewhere", null, null],
        ],
      );
    });
  });
});

async function fill(tx: Tx): Promise<void> {
  await sql`insert into users (id, username, password_hash, role, state, locale,
      time_zone, created_at, updated_at)
    values (1, 'ann', 'x', 'user', 'active', 'en', 'UTC', ${TIME}, ${TIME})`.execute(
    tx,
  );
  for (const id of [1, 2])
    await sql`insert into people (id, guid, handle, user_id, public_key_pem, state,
        created_at, updated_at)
      values (${id}, ${`g${id}`}, ${`p${id}@x.example`}, ${id === 1 ? 1 : null},
        'key', 'active', ${TIME}, ${TIME})`.execute(tx);
  await sql`insert into aspects (id, user_id, name, is_default, created_at, updated_at)
    values (1, 1, 'Family "C"', false, ${TIME}, ${TIME})`.execute(tx);
  await insertPost(tx, 1, { text: "public", isPublic: true });
  await insertPost(tx, 2, { text: "to an aspect", aspectId: 1 });
  await insertPost(tx, 3, { text: "to a deleted aspect", aspectId: 7 });
  await insertPost(tx, 4, { text: "to people" });
  await sql`insert into post_recipients (post_id, person_id) values (4, 2)`.execute(
    tx,
  );
  await insertPost(tx, 5, { text: "to nobody" });
  await insertPost(tx, 6, { text: "from elsewhere", personId: 2 });
}

async function insertPost(
  tx: Tx,
  id: number,
  post: {
    text: string;
    isPublic?: boolean;
    aspectId?: number;
    personId?: number;
  },
): Promise<void> {
  const { text, isPublic = false, aspectId = null, personId = 1 } = post;
  const shown = sql.lit(isPublic);
  await sql`insert into posts (id, guid, person_id, type, public, listed, text,
      provider_name, aspect_id, created_at, updated_at)
    values (${id}, ${`post${id}`}, ${personId}, 'StatusMessage', ${shown}, true,
      ${text}, '', ${aspectId}, ${TIME}, ${TIME})`.execute(tx);
}
