import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { forEachDatabase } from "../../test/support/server/databases.ts";
import type { Db, Tx } from "./db.ts";
import { retractionsOfAuthors } from "./migrations/0049-retractions-of-authors.ts";
import { bringUpToDate } from "./older-database.fixture.ts";

const TIME = "2026-01-01T00:00:00.000Z";

forEachDatabase((kind) => {
  test("retractions kept by an older Kith stay, and another author's may stand beside them", async () => {
    await bringUpToDate(kind, retractionsOfAuthors, fill, async (db) => {
      assert.deepEqual(await listTombstones(db), [
        ["Comment", "c", 2, "https://x.example/c", null],
        ["Post", "g", 1, null, null],
        ["Unknown", "hash", 2, "https://x.example/e", "https://x.example"],
      ]);
      await db.transaction((tx) => insertTombstone(tx, "Post", "g", 2));
      await assert.rejects(
        db.transaction((tx) => insertTombstone(tx, "Post", "g", 2)),
      );
      assert.equal((await listTombstones(db)).length, 4);
    });
  });

  test("facts that an older Kith left in the queue name the author of what was said", async () => {
    await bringUpToDate(kind, retractionsOfAuthors, fill, async (db) => {
      const jobs = await db.read
        .selectFrom("jobs")
        .select(["kind", "payload"])
        .orderBy("id")
        .execute();
      const about = { type: "comment.retracted", by: 1 };
      assert.deepEqual(
        jobs.map((job) => [job.kind, JSON.parse(job.payload) as unknown]),
        [
          ["fan-out", { ...about, guid: "c", authorId: 2 }],
          ["notify", { ...about, guid: "c", authorId: 2 }],
          ["fan-out", { ...about, guid: "forgotten" }],
          ["fan-out", { type: "post.retracted", guid: "g", by: 1 }],
          ["handle-inbound", { messageId: 1 }],
        ],
      );
    });
  });
});

async function listTombstones(db: Db) {
  const rows = await db.read
    .selectFrom("tombstones")
    .selectAll()
    .orderBy("kind")
    .orderBy("guid")
    .execute();
  return rows.map((row) => [
    ...[row.kind, row.guid, row.person_id, row.uri, row.origin],
  ]);
}

function insertTombstone(
  tx: Tx,
  kind: string,
  guid: string,
  personId: number,
  uri: string | null = null,
  origin: string | null = null,
) {
  return sql`insert into tombstones (kind, guid, person_id, uri, details, created_at, origin)
    values (${kind}, ${guid}, ${personId}, ${uri}, '{}', ${TIME}, ${origin})`.execute(
    tx,
  );
}

async function fill(tx: Tx): Promise<void> {
  const no = sql.lit(false);
  for (const id of [1, 2])
    await sql`insert into people (id, guid, handle, public_key_pem, has_diaspora_key, state, created_at, updated_at)
      values (${id}, ${`p${id}`}, ${`p${id}@x.example`}, '', ${no}, 'active', ${TIME}, ${TIME})`.execute(
      tx,
    );
  await insertTombstone(tx, "Post", "g", 1);
  await insertTombstone(tx, "Comment", "c", 2, "https://x.example/c");
  const early = ["https://x.example/e", "https://x.example"] as const;
  await insertTombstone(tx, "Unknown", "hash", 2, ...early);
  const about = { type: "comment.retracted", by: 1 };
  const jobs: [string, object][] = [
    ["fan-out", { ...about, guid: "c" }],
    ["notify", { ...about, guid: "c" }],
    ["fan-out", { ...about, guid: "forgotten" }],
    ["fan-out", { type: "post.retracted", guid: "g", by: 1 }],
    ["handle-inbound", { messageId: 1 }],
  ];
  for (const [kind, payload] of jobs)
    await sql`insert into jobs (kind, pool, payload, state, run_at, turn, attempts, created_at)
      values (${kind}, 'default', ${JSON.stringify(payload)}, 'ready', ${TIME}, ${TIME}, 0, ${TIME})`.execute(
      tx,
    );
}
