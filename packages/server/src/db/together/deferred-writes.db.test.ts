import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import {
  createReadyDatabase,
  forEachDatabase,
  type TestDatabase,
} from "../../../test/support/server/databases.ts";
import type { Db, Tx } from "../db.ts";
import { openDatabase } from "../open-database.ts";
import { deferWrite } from "./deferred-writes.ts";

const now = "2026-01-01T00:00:00.000Z";

describe("deferred writes", () => {
  forEachDatabase((kind) => {
    let database: TestDatabase;
    let db: Db;
    let written: string[];
    beforeEach(async () => {
      database = await createReadyDatabase(kind);
      db = await openDatabase(database.location);
      written = [];
    });
    afterEach(async () => {
      await db.close();
      await database.remove();
    });

    /** Adds a name once the units of its group are done. */
    const add = (tx: Tx, row: number, name: string) =>
      deferWrite(tx, row, async () => {
        written.push(name);
        await tx
          .insertInto("creations")
          .values({ activity: name, object: name, created_at: now })
          .execute();
      });

    async function list(): Promise<string[]> {
      const rows = await db.read
        .selectFrom("creations")
        .select("activity")
        .orderBy("activity")
        .execute();
      return rows.map(({ activity }) => activity);
    }

    test("a deferred write is committed with its transaction", async () => {
      await db.transaction((tx) => add(tx, 1, "a"));
      assert.deepEqual(await list(), ["a"]);
      await db.transaction((tx) => add(tx, 1, "b"));
      assert.deepEqual(await list(), ["a", "b"]);
    });

    test("a transaction that fails leaves nothing, and the others all they have", async () => {
      const outcomes = await Promise.allSettled(
        ["a", "b", "c"].map((name, row) =>
          db.transaction(async (tx) => {
            await add(tx, row, name);
            if (name === "b") throw new Error("refused");
          }),
        ),
      );
      assert.deepEqual(
        outcomes.map(({ status }) => status),
        ["fulfilled", "rejected", "fulfilled"],
      );
      assert.deepEqual(await list(), ["a", "c"]);
    });

    test("a write that fails fails its transaction, and nothing of it comes later", async () => {
      await assert.rejects(
        db.transaction(async (tx) => {
          await add(tx, 1, "a");
          await deferWrite(tx, 2, async () => {
            throw new Error("no more words");
          });
        }),
        /no more words/,
      );
      await db.transaction((tx) => add(tx, 3, "b"));
      assert.deepEqual(await list(), ["b"]);
    });

    if (kind !== "sqlite") return;

    test("transactions of one moment write together, in the order of the rows, the last of each row", async () => {
      await Promise.all([
        db.transaction((tx) => add(tx, -3, "first of −3")),
        db.transaction(async (tx) => {
          await add(tx, -5, "−5");
          assert.deepEqual(written, []);
        }),
        db.transaction((tx) => add(tx, -3, "last of −3")),
        db.transaction((tx) => add(tx, -4, "−4")),
      ]);
      assert.deepEqual(written, ["−5", "−4", "last of −3"]);
    });
  });
});
