import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { sql } from "kysely";
import {
  createTestDatabase,
  type TestDatabase,
} from "../../../test/support/server/databases.ts";
import type { Db, Reader } from "../db.ts";
import { StatementNames } from "./named-statements.ts";
import { openDatabase } from "../open-database.ts";

const names = async (reader: Reader): Promise<string[]> => {
  const { rows } = await sql<{
    name: string;
  }>`select name from pg_prepared_statements`.execute(reader);
  return rows.map(({ name }) => name);
};

describe("named statements", () => {
  test("a repeated statement gets a name, and keeps it", () => {
    const statements = new StatementNames();
    assert.equal(statements.nameOf("select 1"), undefined);
    const name = statements.nameOf("select 1");
    assert.ok(name);
    assert.equal(statements.nameOf("select 1"), name);
    assert.equal(statements.nameOf("select 2"), undefined);
    assert.notEqual(statements.nameOf("select 2"), name);
  });

  test("after a change of tables all get other names", () => {
    const statements = new StatementNames();
    const ask = () => [1, 2].map(() => statements.nameOf("select 1"))[1];
    const before = ask();
    statements.renew();
    assert.notEqual(ask(), before);
  });

  test("however many texts come, the names are few", () => {
    const statements = new StatementNames();
    const given = new Set<string>();
    for (let n = 0; n < 10_000; n++)
      for (let again = 0; again < 3; again++) {
        const name = statements.nameOf(`select ${n}`);
        if (name !== undefined) given.add(name);
      }
    assert.equal(given.size, 400);
  });

  test("texts that come once do not have one forgotten that was seen just before", () => {
    const statements = new StatementNames();
    for (let n = 0; n < 1_999; n++) statements.nameOf(`select ${n}`);
    statements.nameOf("select again");
    statements.nameOf("select once");
    assert.ok(statements.nameOf("select again"));
  });

  test("a repeated query is prepared once on a connection", async () => {
    await withDatabase(async (db) => {
      await db.transaction(async (tx) => {
        for (let n = 0; n < 5; n++)
          await sql`select ${n}::int as n`.execute(tx);
        assert.equal((await names(tx)).length, 1);
      });
    });
  });

  test("a table that got a column is read on, outside of transactions and in them", async () => {
    await withDatabase(async (db, other) => {
      await db.transaction((tx) =>
        sql`create table things (id bigint)`.execute(tx),
      );
      const read = async (reader: Reader) =>
        (await sql`select * from things where id = ${1}`.execute(reader)).rows;
      await db.transaction((tx) =>
        sql`insert into things values (1)`.execute(tx),
      );
      const readAll = () =>
        Promise.all([read(db.read), db.transaction((tx) => read(tx))]);
      for (let n = 0; n < 4; n++)
        assert.deepEqual(await readAll(), [[{ id: 1 }], [{ id: 1 }]]);
      await other.transaction((tx) =>
        sql`alter table things add column name text default 'x'`.execute(tx),
      );
      const changed = [{ id: 1, name: "x" }];
      for (let n = 0; n < 4; n++)
        assert.deepEqual(await readAll(), [changed, changed]);
    });
  });
});

async function withDatabase(
  use: (db: Db, other: Db) => Promise<void>,
): Promise<void> {
  const database: TestDatabase = await createTestDatabase("postgres");
  const [db, other] = await Promise.all([
    openDatabase(database.location),
    openDatabase(database.location),
  ]);
  try {
    await use(db, other);
  } finally {
    await Promise.all([db.close(), other.close()]);
    await database.remove();
  }
}
