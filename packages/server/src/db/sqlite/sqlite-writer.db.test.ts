import assert from "node:assert/strict";
import { once } from "node:events";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { SqliteConnection } from "./sqlite-dialect.ts";
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
    writer = new SqliteWriter({
      database,
      flush: async () => {},
      afterCommit: () => {
        commits += 1;
      },
    });
  });
  afterEach(() => database.close());

  const run = (sql: string): Promise<void> =>
    writer.run(async () => database.exec(sql));

  async function insertTwo(id: number): Promise<void> {
    await Promise.all([
      run(`insert into parents values (${id})`),
      run(`insert into parents values (${id + 1})`),
    ]);
  }

  function count(table: "parents" | "children"): unknown {
    return database.prepare(`select count(*) as n from ${table}`).get()?.["n"];
  }

  test("a row ID beyond 2^53 stops neither the writer nor later statements", async () => {
    const connection = new SqliteConnection(database);
    await run("insert into parents values (9008848522182656)");
    await run("delete from parents");
    await writer.run(async () => {
      const { statement } = connection.prepare("delete from children");
      assert.equal(statement.run().lastInsertRowid, 9008848522182656n);
    });
    assert.equal(commits, 3);
  });

  test("transactions that arrive together are committed together", async () => {
    await Promise.all(
      Array.from({ length: 50 }, (_, id) =>
        run(`insert into parents values (${id})`),
      ),
    );
    assert.equal(count("parents"), 50);
    assert.equal(commits, 1);
  });

  test("where many come, those of the turns that follow are committed with them", async () => {
    const written: Promise<void>[] = [];
    for (let id = 0; id < 10; id += 2) {
      written.push(insertTwo(id));
      await nextTurn();
    }
    await Promise.all(written);
    assert.equal(count("parents"), 10);
    assert.equal(commits, 1);
  });

  test("a transaction with more and more behind it does not wait for all of them", async () => {
    let isWritten = false;
    const written = [
      insertTwo(0).then(() => {
        isWritten = true;
      }),
    ];
    for (let id = 2; !isWritten; id += 2) {
      assert.ok(id < 100, "the first ones still wait");
      written.push(insertTwo(id));
      await nextTurn();
    }
    const early = written.length;
    for (let id = 100; id < 110; id += 2) written.push(insertTwo(id));
    await Promise.all(written);
    assert.equal(count("parents"), 2 * (early + 5));
    assert.equal(commits, 2);
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

  test("a result waits for the flush, while others read what is committed", async () => {
    const flush = Promise.withResolvers<void>();
    const flushing = Promise.withResolvers<void>();
    const other = new SqliteWriter({
      database,
      flush: () => {
        flushing.resolve();
        return flush.promise;
      },
      afterCommit: () => {
        commits += 1;
      },
    });
    let isDone = false;
    const done = other
      .run(async () => database.exec("insert into parents values (1)"))
      .then(() => (isDone = true));
    await flushing.promise;
    await nextTurn();
    assert.equal(count("parents"), 1);
    assert.equal(isDone, false);
    assert.equal(commits, 0);
    flush.resolve();
    await done;
    assert.equal(commits, 1);
  });

  test("the next group waits for what comes after a commit, and the results do not", async () => {
    const moved = Promise.withResolvers<void>();
    const other = new SqliteWriter({
      database,
      flush: async () => {},
      afterCommit: () => moved.promise,
    });
    const insert = (id: number) =>
      other.run(async () =>
        database.exec(`insert into parents values (${id})`),
      );
    await insert(1);
    const next = insert(2);
    await nextTurn();
    assert.equal(count("parents"), 1);
    moved.resolve();
    await next;
    assert.equal(count("parents"), 2);
  });

  test("a group that is not flushed is refused, as nobody knows whether it survives, and the next one goes", async () => {
    const outcomes = [new Error("no flush"), undefined];
    const seen: string[] = [];
    const other = new SqliteWriter({
      database,
      flush: async () => {
        const error = outcomes.shift();
        if (error) throw error;
      },
      afterCommit: () => void seen.push("commit"),
      afterFailure: () => void seen.push("failure"),
    });
    const insert = (id: number) =>
      other.run(async () =>
        database.exec(`insert into parents values (${id})`),
      );
    await assert.rejects(insert(1), /no flush/);
    await insert(2);
    await other.idle();
    assert.deepEqual(seen, ["failure", "commit"]);
  });

  test("a listener that throws keeps nobody from writing", async () => {
    const warned = once(process, "warning") as Promise<[Error]>;
    const other = new SqliteWriter({
      database,
      flush: async () => {},
      afterCommit: () => {
        throw new Error("a listener is wrong");
      },
    });
    await other.run(async () =>
      database.exec("insert into parents values (1)"),
    );
    await other.run(async () =>
      database.exec("insert into parents values (2)"),
    );
    await other.idle();
    assert.equal(count("parents"), 2);
    assert.match((await warned)[0].message, /a listener is wrong/);
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

  test("a transaction that arrives while a group runs is in the next one, and idle waits for it", async () => {
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
