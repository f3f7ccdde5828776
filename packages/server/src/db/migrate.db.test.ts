import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import {
  createTestDatabase,
  forEachDatabase,
  type TestDatabase,
} from "../../test/support/server/databases.ts";
import { systemClock } from "../lib/time/clock.ts";
import { DatabaseUnusable, type Db } from "./db.ts";
import { examineDatabase } from "./examine-database.ts";
import { migrate, MIGRATIONS } from "./migrate.ts";
import type { Migration } from "./migration.ts";
import { openDatabase } from "./open-database.ts";
import { planUpgrade } from "./upgrade-plan.ts";

const NAMES = MIGRATIONS.map(({ name }) => name);

const next: Migration = {
  number: Math.max(...MIGRATIONS.map((one) => one.number)) + 1,
  name: "of-the-future",
  statements: () => ["create table future (id bigint)"],
};

describe("migrate", () => {
  forEachDatabase((kind) => {
    let database: TestDatabase;
    const open: Db[] = [];
    const openOne = async (): Promise<Db> => {
      const db = await openDatabase(database.location);
      open.push(db);
      return db;
    };
    beforeEach(async () => {
      database = await createTestDatabase(kind);
    });
    afterEach(async () => {
      for (const db of open.splice(0)) await db.close();
      await database.remove();
    });

    test("makes all tables in an empty database, and then has nothing to do", async () => {
      const db = await openOne();
      assert.deepEqual(await migrate(db, systemClock), NAMES);
      assert.deepEqual(await migrate(db, systemClock), []);
      for (const table of ["users", "people", "posts", "jobs"] as const)
        assert.deepEqual(
          await db.read.selectFrom(table).selectAll().execute(),
          [],
        );
    });

    test("runs only what is new", async () => {
      const db = await openOne();
      await migrate(db, systemClock);
      const done = await migrate(db, systemClock, {
        migrations: [...MIGRATIONS, next],
      });
      assert.deepEqual(done, ["of-the-future"]);
    });

    test("refuses a database that a newer Kith has changed, and leaves it as it is", async () => {
      const db = await openOne();
      await migrate(db, systemClock, { migrations: [...MIGRATIONS, next] });
      await assert.rejects(migrate(db, systemClock), (error) => {
        assert.ok(error instanceof DatabaseUnusable);
        assert.match(error.message, /newer Kith/);
        return true;
      });
      await assert.rejects(planUpgrade(db), DatabaseUnusable);
      const [schema] = await examineDatabase(db);
      assert.equal(schema?.state, "failed");
      assert.match(schema.says, /newer Kith/);
      assert.deepEqual(
        await migrate(db, systemClock, { migrations: [...MIGRATIONS, next] }),
        [],
      );
    });

    test("of processes that start at once, one does it and the others wait", async () => {
      const all = await Promise.all([openOne(), openOne(), openOne()]);
      const done = await Promise.all(all.map((db) => migrate(db, systemClock)));
      assert.deepEqual(done.flat(), NAMES);
    });

    test("does all of it or nothing, and says in words what the database objects to", async () => {
      const db = await openOne();
      const broken: Migration = {
        ...next,
        statements: () => [
          "create table half (id bigint)",
          "insert into absent values (1)",
        ],
      };
      await assert.rejects(
        migrate(db, systemClock, { migrations: [...MIGRATIONS, broken] }),
        {
          name: "DatabaseUnusable",
          message: /cannot be brought up to date: .*absent/,
        },
      );
      const mended: Migration = {
        ...next,
        statements: () => ["create table half (id bigint)"],
      };
      assert.deepEqual(
        await migrate(db, systemClock, { migrations: [...MIGRATIONS, mended] }),
        [...NAMES, next.name],
      );
    });
  });
});
