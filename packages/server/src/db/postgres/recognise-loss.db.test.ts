import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { sql } from "kysely";
import {
  createTestDatabase,
  TESTED_DATABASE_KINDS,
  type TestDatabase,
} from "../../../test/support/server/databases.ts";
import { DatabaseAway } from "../../lib/errors.ts";
import type { Db } from "../db.ts";
import { openDatabase } from "../open-database.ts";

const skip = !TESTED_DATABASE_KINDS.includes("postgres");
const end = sql`select pg_terminate_backend(pg_backend_pid())`;

describe("an error of PostgreSQL", { skip }, () => {
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

  test("says that a connection was lost", async () => {
    const read = end.execute(db.read);
    await assert.rejects(read, { name: "DatabaseAway", code: "57P01" });
    const written = db.transaction((tx) => end.execute(tx));
    await assert.rejects(written, DatabaseAway);
  });

  test("of a commit does not say so, because it may stand", async () => {
    await db.transaction(async (tx) => {
      await sql`create table last (n int)`.execute(tx);
      await sql`create function hang_up() returns trigger language plpgsql as $$
        begin perform pg_terminate_backend(pg_backend_pid()); return null; end $$`.execute(
        tx,
      );
      await sql`create constraint trigger hang_up after insert on last
        deferrable initially deferred
        for each row execute function hang_up()`.execute(tx);
    });
    const insert = sql`insert into last values (1)`;
    const lost = db.transaction((tx) => insert.execute(tx));
    await assert.rejects(lost, (error) => !(error instanceof DatabaseAway));
  });

  test("about the data stays as it is", async () => {
    const refused = sql`select 1 / 0`.execute(db.read);
    await assert.rejects(refused, { code: "22012", name: "error" });
  });
});
