import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { sql } from "kysely";
import {
  createTestDatabase,
  type TestDatabase,
} from "../../../test/support/server/databases.ts";
import type { Db, Tx } from "../db.ts";
import { openDatabase } from "../open-database.ts";
import { together } from "../together.ts";

const add = (tx: Tx, n: number) =>
  sql`insert into kept values (${n})`.execute(tx);

describe("transactions on PostgreSQL", () => {
  let database: TestDatabase;
  let db: Db;
  const kept = async () =>
    (
      await sql<{ n: number }>`select n from kept order by n`.execute(db.read)
    ).rows.map(({ n }) => n);

  before(async () => {
    database = await createTestDatabase("postgres");
    db = await openDatabase(database.location);
    await db.transaction((tx) =>
      sql`create table kept (n int unique)`.execute(tx),
    );
  });
  after(async () => {
    await db.close();
    await database.remove();
  });

  test("queries that do not await each other are sent together, and run in their order", async () => {
    const counts = await db.transaction((tx) =>
      together(
        [1, 2, 3, 4].map(async (n) => {
          const written = add(tx, n);
          const { rows } = await sql<{
            n: number;
          }>`select count(*) as n from kept`.execute(tx);
          await written;
          return rows[0]?.n;
        }),
      ),
    );
    assert.deepEqual(counts, [1, 2, 3, 4]);
    assert.deepEqual(await kept(), [1, 2, 3, 4]);
  });

  test("one that fails has all rolled back, and others of the same time are unharmed", async () => {
    const before = await kept();
    const [failed, stored] = await Promise.allSettled([
      db.transaction((tx) => together([add(tx, 10), add(tx, 1), add(tx, 11)])),
      db.transaction((tx) => add(tx, 12)),
    ]);
    assert.equal(failed.status, "rejected");
    assert.equal((failed.reason as { code: string }).code, "23505");
    assert.equal(stored.status, "fulfilled");
    assert.deepEqual(await kept(), [...before, 12]);
  });

  test("the query that failed is named, and not one that failed because of it", async () => {
    const failing = db.transaction((tx) =>
      together([add(tx, 15).then(() => add(tx, 16)), add(tx, 1)]),
    );
    await assert.rejects(failing, { code: "23505" });
  });

  test("a transaction that met another one is tried again, whichever of its queries did", async () => {
    let attempts = 0;
    await db.transaction((tx) => {
      attempts += 1;
      const met = sql.raw(
        `do $$ begin raise exception 'met' using errcode = '40001'; end $$`,
      );
      return together([
        add(tx, 17).then(() => add(tx, 18)),
        attempts < 3 ? met.execute(tx) : undefined,
      ]);
    });
    assert.equal(attempts, 3);
    const found = await kept();
    assert.ok(found.includes(17) && found.includes(18));
  });

  test("a query after the end is refused, and runs in nobody else's transaction", async () => {
    const before = await kept();
    let late: Tx | undefined;
    await db.transaction(async (tx) => {
      late = tx;
      await add(tx, 20);
    });
    await assert.rejects(async () => late && add(late, 21), /after the end/);
    const failing = db.transaction(async (tx) => {
      late = tx;
      await add(tx, 22);
      throw new Error("of the work");
    });
    await assert.rejects(failing, /of the work/);
    await assert.rejects(async () => late && add(late, 23), /after the end/);
    assert.deepEqual(await kept(), [...before, 20]);
  });

  test("a connection that is cut fails its transaction alone", async () => {
    const before = await kept();
    const cut = db.transaction(async (tx) => {
      await add(tx, 30);
      await sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx);
    });
    await assert.rejects(cut);
    await db.transaction((tx) => add(tx, 31));
    assert.deepEqual(await kept(), [...before, 31]);
  });
});
