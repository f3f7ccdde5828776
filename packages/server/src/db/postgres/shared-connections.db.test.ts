import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { sql } from "kysely";
import {
  createTestDatabase,
  type TestDatabase,
} from "../../../test/support/server/databases.ts";
import type { Db } from "../db.ts";
import { openDatabase } from "../open-database.ts";

const backend = sql<{ pid: number }>`select pg_backend_pid() as pid`;
const pidOf = async (db: Db) => (await backend.execute(db.read)).rows[0]?.pid;
const askFor = async (db: Db, n: number) =>
  (await sql<{ n: number }>`select ${n}::int as n`.execute(db.read)).rows[0]?.n;

describe("shared connections", () => {
  let database: TestDatabase;
  let db: Db;
  beforeEach(async () => {
    database = await createTestDatabase("postgres");
    db = await openDatabase(database.location);
  });
  afterEach(async () => {
    await db.close();
    await database.remove();
  });

  test("a thousand questions at once are each given their own answer, by few connections", async () => {
    const numbers = Array.from({ length: 1000 }, (_, n) => n);
    const [answers, pids] = await Promise.all([
      Promise.all(numbers.map((n) => askFor(db, n))),
      Promise.all(numbers.map(() => pidOf(db))),
    ]);
    assert.deepEqual(answers, numbers);
    assert.ok(new Set(pids).size <= 4);
    assert.ok(!pids.includes(undefined));
  });

  test("one that fails does not spoil those around it", async () => {
    const asked = Array.from({ length: 30 }, (_, n) =>
      n % 3 === 0
        ? sql`select 1 / ${0}::int`.execute(db.read).then(
            () => "answered",
            () => "failed",
          )
        : askFor(db, n),
    );
    const answers = await Promise.all(asked);
    for (const [n, answer] of answers.entries())
      assert.equal(answer, n % 3 === 0 ? "failed" : n);
  });

  test("a query that changes nothing sees the commits before it", async () => {
    await db.transaction((tx) => sql`create table seen (n int)`.execute(tx));
    for (let n = 1; n <= 50; n++) {
      await db.transaction((tx) =>
        sql`insert into seen values (1)`.execute(tx),
      );
      const { rows } = await sql<{
        n: number;
      }>`select count(*) as n from seen`.execute(db.read);
      assert.equal(rows[0]?.n, n);
    }
  });

  test("connections that were cut are made anew", async () => {
    await Promise.all([1, 2, 3].map((n) => askFor(db, n)));
    const cut = db.transaction((tx) =>
      sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`.execute(
        tx,
      ),
    );
    const meanwhile = await Promise.allSettled(
      [1, 2].map((n) => askFor(db, n)),
    );
    await cut;
    for (const one of meanwhile)
      if (one.status === "rejected") assert.ok(one.reason instanceof Error);
    // The news of their end comes in its own time.
    let answer: number | undefined;
    for (let tries = 0; tries < 50 && answer === undefined; tries++)
      answer = await askFor(db, 7).catch(() => undefined);
    assert.equal(answer, 7);
    assert.deepEqual(
      await Promise.all([1, 2, 3].map((n) => askFor(db, n))),
      [1, 2, 3],
    );
  });

  test("whole tables are read by none of the connections where there is an index", async () => {
    const setting = sql<{ value: string }>`
      select current_setting('enable_seqscan') as value`;
    const readers = [db.read, db.read, db.read, db.read];
    const answers = await Promise.all([
      ...readers.map((reader) => setting.execute(reader)),
      db.transaction((tx) => setting.execute(tx)),
    ]);
    for (const { rows } of answers) assert.equal(rows[0]?.value, "off");
  });

  test("all callers in one turn get the same mark, and another one after a commit", async () => {
    const marks = await Promise.all([db.mark(), db.mark()]);
    assert.equal(marks[0], marks[1]);
    await db.transaction((tx) => sql`create table marked (n int)`.execute(tx));
    assert.notEqual(await db.mark(), marks[0]);
  });
});
