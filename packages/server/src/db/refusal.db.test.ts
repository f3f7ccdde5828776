import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { sql } from "kysely";
import {
  forEachDatabase,
  openTestDatabase,
} from "../../test/support/server/databases.ts";
import type { Db } from "./db.ts";
import { isRefusal, isStorageFailure } from "./refusal.ts";

const coded = (code: string, errcode?: number) =>
  Object.assign(new Error("something"), { code, errcode });

test("a database that is away, full, locked or damaged refuses nothing", () => {
  for (const trouble of [
    // BUSY, IOERR_WRITE, FULL, CORRUPT, READONLY.
    ...[5, 778, 13, 11, 8].map((code) => coded("ERR_SQLITE_ERROR", code)),
    ...["53100", "57P01", "08006", "40001", "58030", "25006"].map((code) =>
      coded(code),
    ),
    coded("ECONNREFUSED"),
    coded("EPIPE"),
    new Error("Connection terminated unexpectedly"),
    new Error("timeout exceeded when trying to connect"),
  ]) {
    assert.equal(isRefusal(trouble), false, JSON.stringify(trouble));
    assert.equal(isStorageFailure(trouble), true, JSON.stringify(trouble));
  }
  assert.ok(isRefusal(new TypeError("Cannot read properties of undefined")));
});

test("an error about the data, or of another server, is no failure of the database", () => {
  for (const error of [
    coded("ERR_SQLITE_ERROR", 19),
    coded("23505"),
    coded("not_found"),
    new TypeError("Cannot read properties of undefined"),
  ])
    assert.equal(isStorageFailure(error), false, JSON.stringify(error));
});

forEachDatabase((kind) => {
  let db: Db;
  let close: () => Promise<void>;
  beforeEach(async () => {
    ({ db, close } = await openTestDatabase(kind));
  });
  afterEach(() => close());

  for (const [what, query] of [
    ["what breaks a rule", "insert into job_documents (body) values (null)"],
    ["what names nothing", "insert into nowhere values (1)"],
  ] as const)
    test(`${what} is refused each time`, async () => {
      const error: unknown = await db
        .transaction((tx) => sql.raw(query).execute(tx))
        .catch((reason: unknown) => reason);
      assert.ok(isRefusal(error), String(error));
    });
});
