import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { sql } from "kysely";
import {
  forEachDatabase,
  openTestDatabase,
} from "../../test/support/server/databases.ts";
import type { Db } from "./db.ts";
import { prepareQuery, writeConstants } from "./prepared-query.ts";

describe("prepared queries", () => {
  forEachDatabase((kind) => {
    let db: Db;
    let close: () => Promise<void>;
    beforeEach(async () => {
      ({ db, close } = await openTestDatabase(kind));
    });
    afterEach(() => close());

    const CONSTANTS = ["it's", "a ? and $1", 'a "name"', "\\'; --", ""];

    test("constants and given values stand where they belong", async () => {
      type Row = { first: string; known: string; second: string };
      for (const known of CONSTANTS) {
        const ask = prepareQuery<{ a: string; b: string }, Row>(
          (reader, value) =>
            sql<Row>`select cast(${value("b")} as text) as first,
              cast(${known} as text) as known, 'a ? of $2' as "any ? $1",
              cast(${value("a")} as text) as second
              where ${1} = 1 and ${value("a")} <> ${"other"}`.compile(reader),
        );
        for (const [a, b] of [
          ["1", "2"],
          ["x ? $1", "'"],
        ] as const) {
          const [row] = await ask(db.read, { a, b });
          assert.deepEqual(
            [row?.first, row?.known, row?.second],
            [b, known, a],
          );
        }
      }
    });

    test("values alone are left to be bound", async () => {
      const query = db.read
        .selectFrom("users")
        .select("id")
        .where("state", "=", "active")
        .where("role", "is", null)
        .compile();
      const { sql: text, parameters } = writeConstants(query, kind);
      assert.match(text, /"state" = 'active' and "role" is null$/);
      assert.deepEqual(parameters, []);
    });

    test("truth and numbers are written as the database reads them", async () => {
      const ask = prepareQuery<{ id: number }, { n: number }>((reader, value) =>
        sql<{ n: number }>`select ${7} as n where ${true} and not ${false}
          and ${value("id")} = ${3}`.compile(reader),
      );
      assert.equal((await ask(db.read, { id: 3 }))[0]?.n, 7);
      assert.equal((await ask(db.read, { id: 4 })).length, 0);
    });
  });
});
