import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { forEachDatabase } from "../../test/support/server/databases.ts";
import type { Tx } from "./db.ts";
import { repliesInHomes } from "./migrations/0182-replies-in-homes.ts";
import { bringUpToDate } from "./older-database.fixture.ts";

const TIME = "2026-01-01T00:00:00.000Z";
const PER_POST = 2 ** 20;

forEachDatabase((kind) => {
  test("comments of an older Kith stand behind the posts written before them, if anybody here reads their author", async () => {
    await bringUpToDate(kind, repliesInHomes, fill, async (db) => {
      const placed = await db.read
        .selectFrom("comment_arrivals")
        .selectAll()
        .orderBy("position")
        .execute();
      assert.deepEqual(
        placed.map((row) => [row.position, row.comment_id, row.author_id]),
        [
          [1, 5, 1],
          [PER_POST + 1, 11, 1],
          [PER_POST + 2, 12, 2],
          [2 * PER_POST + 1, 31, 2],
        ],
      );
      const last = await db.read
        .selectFrom("last_comment_arrival")
        .select("position")
        .execute();
      assert.deepEqual(
        last.map((row) => row.position),
        [2 * PER_POST + 1],
      );
      const aspects = await db.read
        .selectFrom("aspects")
        .select("replies_policy")
        .execute();
      assert.deepEqual(
        aspects.map((row) => row.replies_policy),
        ["none"],
      );
      await db.transaction(async (tx) => {
        for (const [id, author] of [
          [41, 1],
          [42, 2],
          [43, 3],
        ] as const)
          await insertComment(tx, id, 10, author);
        await insertComment(tx, 44, 40, 1);
      });
      const notes = await db.read
        .selectFrom("unplaced_comments")
        .select("comment_id")
        .orderBy("id")
        .execute();
      assert.deepEqual(
        notes.map((row) => row.comment_id),
        [41, 42],
      );
    });
  });
});

/** Ann, who reads Bob; and Cid, whom nobody reads. */
async function fill(tx: Tx): Promise<void> {
  await sql`insert into users (id, username, password_hash, role, state, locale,
      time_zone, created_at, updated_at)
    values (1, 'ann', 'x', 'user', 'active', 'en', 'UTC', ${TIME}, ${TIME})`.execute(
    tx,
  );
  for (const id of [1, 2, 3])
    await sql`insert into people (id, guid, handle, user_id, public_key_pem, state,
        created_at, updated_at)
      values (${id}, ${`g${id}`}, ${`p${id}@x.example`}, ${id === 1 ? 1 : null},
        'key', 'active', ${TIME}, ${TIME})`.execute(tx);
  await sql`insert into aspects (id, user_id, name, is_default, created_at, updated_at)
    values (1, 1, 'Friends', false, ${TIME}, ${TIME})`.execute(tx);
  await sql`insert into aspect_memberships (aspect_id, person_id, created_at, updated_at)
    values (1, 2, ${TIME}, ${TIME})`.execute(tx);
  for (const [id, participants] of [
    [10, null],
    [30, null],
    [40, "p1@x.example;p2@x.example"],
  ] as const)
    await sql`insert into posts (id, guid, person_id, type, public, listed, text,
        provider_name, participants, created_at, updated_at)
      values (${id}, ${`post${id}`}, 3, 'StatusMessage', ${sql.lit(participants === null)},
        true, 'text', '', ${participants}, ${TIME}, ${TIME})`.execute(tx);
  for (const id of [10, 30])
    await sql`insert into post_arrivals (post_id, root_id, author_id)
      values (${id}, ${id}, 3)`.execute(tx);
  await sql`delete from unplaced_posts`.execute(tx);
  for (const [id, author] of [
    [5, 1],
    [11, 1],
    [12, 2],
    [13, 3],
    [31, 2],
  ] as const)
    await insertComment(tx, id, 10, author);
  await insertComment(tx, 45, 40, 2);
}

async function insertComment(
  tx: Tx,
  id: number,
  postId: number,
  personId: number,
): Promise<void> {
  await sql`insert into comments (id, guid, post_id, person_id, text, created_at,
      updated_at)
    values (${id}, ${`comment${id}`}, ${postId}, ${personId}, 'text', ${TIME},
      ${TIME})`.execute(tx);
}
