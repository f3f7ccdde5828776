import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, test } from "node:test";
import { SqliteWriter } from "./sqlite-writer.ts";

describe("the writer of SQLite", () => {
  let database: DatabaseSync;
  let writer: SqliteWriter;
  let commits: number;
  beforeEach(() => {
    database = new DatabaseSync(":memory:");
    database.exec(`pragma foreign_keys = on;
      create table parents (id integer primary key);
      create table children (parent integer not null
        references parents(id) deferrable initially deferred)`);
    commits = 0;
    writer = new SqliteWriter(database, () => {
      commits += 1;
    });
  });
  afterEach(() => database.close());

  const run = (sql: string): Promise<void> =>
    writer.run(async () => database.exec(sql));

  function count(table: "parents" | "children"): unknown {
    return database.prepare(`select count(*) as n from ${table}`).get()?.["n"];
  }

  test("what arrives together is committed together", async () => {
    await Promise.all(
      Array.from({ length: 50 }, (_, id) =>
        run(`insert into parents values (${id})`),
      ),
    );
    assert.equal(count("parents"), 50);
    assert.equal(commits, 1);
  });

  test("a group that cannot be committed is refused to all of it, and the next one goes", async () => {
    const outcomes = await Promise.allSettled([
      run("insert into parents values (1)"),
      run("insert into children values (99)"),
      run("insert into parents values (2)"),
    ]);
    for (const outcome of outcomes) {
      assert.equal(outcome.status, "rejected");
      assert.match(String(outcome.reason), /FOREIGN KEY/);
    }
    assert.equal(count("parents"), 0);
    assert.equal(commits, 0);
    await run("insert into parents values (3)");
    assert.equal(count("parents"), 1);
  });

  test("units run one after the other, each seeing those before it", async () => {
    const seen: unknown[] = [];
    await Promise.all(
      [1, 2, 3].map((id) =>
        writer.run(async () => {
          seen.push(count("parents"));
          await Promise.resolve();
          database.exec(`insert into parents values (${id})`);
        }),
      ),
    );
    assert.deepEqual(seen, [0, 1, 2]);
  });

  test("what arrives while a group runs is in the next one, and idle waits for it", async () => {
    const later: Promise<void>[] = [];
    await writer.run(async () => {
      later.push(run("insert into parents values (1)"));
    });
    await writer.idle();
    assert.equal(count("parents"), 1);
    await Promise.all(later);
    assert.equal(commits, 2);
  });

  test("a rolled back unit gives back its savepoint, however many fail", async () => {
    const failing = Array.from({ length: 100 }, () =>
      writer.run(async () => {
        database.exec("insert into parents values (1)");
        throw new Error("refused");
      }),
    );
    const outcomes = await Promise.allSettled(failing);
    assert.ok(outcomes.every(({ status }) => status === "rejected"));
    assert.equal(count("parents"), 0);
    assert.equal(database.isTransaction, false);
  });
});
