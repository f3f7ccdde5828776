import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { sql } from "kysely";
import {
  createTestDatabase,
  forEachDatabase,
  type DatabaseKind,
} from "../../test/support/server/databases.ts";
import { systemClock } from "../lib/time/clock.ts";
import type { Db } from "./db.ts";
import { migrate, MIGRATIONS } from "./migrate.ts";
import { openDatabase } from "./open-database.ts";

/** PostgreSQL needs half a second for each. */
const STEP = { sqlite: 4, postgres: 12 } as const;

async function on<T>(
  kind: DatabaseKind,
  use: (db: Db) => Promise<T>,
): Promise<T> {
  const database = await createTestDatabase(kind);
  const db = await openDatabase(database.location);
  try {
    return await use(db);
  } finally {
    await db.close();
    await database.remove();
  }
}

/** The tables, columns and indexes, in an order of their own. */
async function formOf(db: Db): Promise<unknown[]> {
  const { rows } =
    db.dialect === "sqlite"
      ? await sql`select type, name, sql from sqlite_schema order by name`.execute(
          db.read,
        )
      : await sql`
          select table_name as of, column_name as name, data_type as form, is_nullable as more
          from information_schema.columns where table_schema = 'public'
          union all select tablename, indexname, indexdef, '' from pg_indexes
          where schemaname = 'public' order by 1, 2`.execute(db.read);
  return rows;
}

forEachDatabase((kind) => {
  describe("an upgrade", () => {
    test("from every few schemas ends with the same one, and reports each step", async () => {
      const form = await on(kind, async (db) => {
        await migrate(db, systemClock);
        return formOf(db);
      });
      for (let count = 1; count < MIGRATIONS.length; count += STEP[kind])
        await on(kind, async (db) => {
          const migrations = MIGRATIONS.slice(0, count);
          await migrate(db, systemClock, { migrations });
          const reported: string[] = [];
          const done = await migrate(db, systemClock, {
            onStep: (name, step, steps) => {
              assert.equal(steps, MIGRATIONS.length - count);
              assert.equal(step, reported.push(name));
            },
          });
          assert.deepEqual(reported, done);
          assert.deepEqual(await formOf(db), form, `after ${count}`);
        });
    });
  });
});
