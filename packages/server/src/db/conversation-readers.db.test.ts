import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { forEachDatabase } from "../../test/support/server/databases.ts";
import type { Tx } from "./db.ts";
import { conversationReaders } from "./migrations/0057-conversation-readers.ts";
import { bringUpToDate } from "./older-database.fixture.ts";

const TIME = "2026-01-01T00:00:00.000Z";

forEachDatabase((kind) => {
  test("conversations of an older Kith are kept, as read, for those who take part", async () => {
    await bringUpToDate(kind, conversationReaders, fill, async (db) => {
      const rows = await db.read
        .selectFrom("conversation_readers")
        .selectAll()
        .orderBy("post_id")
        .orderBy("user_id")
        .execute();
      assert.deepEqual(
        rows.map((row) => Object.values(row).map(String)),
        [
          ["1", "10", "21", "shown"],
          ["2", "10", "21", "shown"],
          ["1", "11", "11", "shown"],
        ],
      );
    });
  });

  test("their subjects leave the texts, where a heading was one", async () => {
    await bringUpToDate(kind, conversationReaders, fill, async (db) => {
      const rows = await db.read
        .selectFrom("posts")
        .select(["id", "warning", "text"])
        .orderBy("id")
        .execute();
      assert.deepEqual(
        rows.map(({ id, warning, text }) => [id, warning, text]),
        [
          [10, "Us three", "Shall we?\n\n## No subject"],
          [11, "Only a subject", ""],
          [12, null, "## A heading\n\nof a post"],
        ],
      );
    });
  });
});

async function fill(tx: Tx): Promise<void> {
  for (const id of [1, 2, 3]) {
    const isHere = id < 3;
    if (isHere)
      await sql`insert into users (id, username, password_hash, role, state,
          locale, time_zone, created_at, updated_at)
        values (${id}, ${`p${id}`}, 'x', 'user', 'active', 'en', 'UTC',
          ${TIME}, ${TIME})`.execute(tx);
    await sql`insert into people (id, guid, handle, user_id, public_key_pem,
        state, created_at, updated_at)
      values (${id}, ${`guid-of-person-000${id}`}, ${`p${id}@x.example`},
        ${isHere ? id : null}, 'key', 'active', ${TIME}, ${TIME})`.execute(tx);
  }
  const texts: [number, string, string | null][] = [
    [10, "## Us three\n\nShall we?\n\n## No subject", "p1;p2;p3"],
    [11, "## Only a subject", "p1;p3"],
    [12, "## A heading\n\nof a post", null],
  ];
  for (const [id, text, participants] of texts)
    await sql`insert into posts (id, guid, person_id, type, public, listed,
        text, provider_name, participants, created_at, updated_at)
      values (${id}, ${`guid-of-post-000000${id}`}, 3, 'StatusMessage',
        ${kindOf(false)}, ${kindOf(false)}, ${text}, '', ${participants},
        ${TIME}, ${TIME})`.execute(tx);
  for (const [post, person] of [
    [10, 1],
    [10, 2],
    [11, 1],
    [12, 2],
  ])
    await sql`insert into post_recipients (post_id, person_id)
      values (${post}, ${person})`.execute(tx);
  for (const id of [20, 21])
    await sql`insert into comments (id, guid, post_id, person_id, text,
        created_at, updated_at)
      values (${id}, ${`guid-of-comment-00${id}`}, 10, 3, 'yes',
        ${TIME}, ${TIME})`.execute(tx);
}

const kindOf = (value: boolean) => sql.lit(value);
