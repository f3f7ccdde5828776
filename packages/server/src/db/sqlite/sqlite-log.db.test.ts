import assert from "node:assert/strict";
import { pbkdf2 } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  fdatasyncSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { sql } from "kysely";
import { systemClock } from "../../lib/time/clock.ts";
import type { Db } from "../db.ts";
import { emptyLog } from "../erase.ts";
import { migrate } from "../migrate.ts";
import { openSqlite } from "./open-sqlite.ts";
import { SqliteLog } from "./sqlite-log.ts";

describe("a main file of SQLite without its log", () => {
  let folder: string;
  let file: string;
  let copy: string;
  let db: Db | undefined;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), "kith-log-"));
    [file, copy] = [path.join(folder, "a"), path.join(folder, "b")];
    db = openSqlite(file);
  });
  afterEach(async () => {
    await db?.close();
    rmSync(folder, { recursive: true });
  });

  const write = (value: string) =>
    db?.transaction((tx) =>
      sql`insert into notes values (${value})`.execute(tx),
    );
  const make = () =>
    db?.transaction((tx) => sql`create table notes (value text)`.execute(tx));

  /** Copies the main file as it is now, and says what happens to whoever opens the copy. */
  function copyMain(): string {
    copyFileSync(file, copy);
    return outcome();
  }

  function outcome(): string {
    try {
      void openSqlite(copy).close();
      return "opened";
    } catch (error) {
      assert.ok(error instanceof Error);
      assert.ok(!existsSync(`${copy}-wal`), "nothing was begun beside it");
      return error.message;
    }
  }

  test("is refused and named while the server runs, however much it has written", async () => {
    await migrate(db as Db, systemClock);
    assert.match(copyMain(), /copied without its log, .*b-wal, /);
    await make();
    for (let count = 0; count < 50; count += 1) {
      await write("x".repeat(1_000_000));
      // A copy made during a checkpoint is torn. The next transaction waits for it.
      await db?.transaction(async () => {});
      assert.match(copyMain(), /copied without its log/);
    }
  });

  test("is refused and named though it was copied during a checkpoint, with pages of two states", async () => {
    await make();
    await write("x".repeat(10_000));
    copyFileSync(file, copy);
    const torn = readFileSync(copy);
    torn.fill(0xff, 100);
    writeFileSync(copy, torn);
    assert.match(outcome(), /copied without its log, .*b-wal, /);
  });

  test("is refused after something else has moved the log, once more is written", async () => {
    await make();
    await emptyLog(db as Db);
    await write("more");
    assert.match(copyMain(), /copied without its log/);
  });

  test("is refused once more is written, though a backup read it when the first was", async () => {
    await make();
    await db?.close();
    db = openSqlite(file);
    const reader = new DatabaseSync(file);
    reader.exec("begin; select * from notes");
    await write("first");
    reader.exec("commit");
    reader.close();
    await write("more");
    assert.match(copyMain(), /copied without its log/);
  });

  test("stays refused while a long read keeps its log from moving", async () => {
    await make();
    for (let count = 0; count < 12; count += 1)
      await write("x".repeat(1_000_000));
    const reader = new DatabaseSync(file);
    reader.exec("begin; select * from notes");
    for (let count = 0; count < 8; count += 1) {
      await write("x".repeat(1_000_000));
      await db?.transaction(async () => {});
      assert.match(copyMain(), /copied without its log/);
    }
    reader.close();
  });

  test("is refused after a crash that left the log behind, which serves with it", async () => {
    await make();
    await write("kept");
    copyFileSync(`${file}-wal`, `${copy}-wal`);
    assert.equal(copyMain(), "opened");
    rmSync(`${copy}-wal`, { force: true });
    assert.match(copyMain(), /copied without its log/);
  });

  test("is taken as it is where an empty log says so", async () => {
    await make();
    copyFileSync(file, copy);
    writeFileSync(`${copy}-wal`, "");
    assert.equal(outcome(), "opened");
  });

  test("is refused, not served as a new server, where it holds nothing yet", () => {
    assert.match(copyMain(), /holds nothing: its log, .*b-wal, .* not copied/);
  });

  test("is whole after an orderly end, and in a copy that SQLite makes", async () => {
    await make();
    await write("kept");
    const source = new DatabaseSync(file);
    source.exec(`vacuum into '${copy}'`);
    source.close();
    assert.equal(outcome(), "opened");
    rmSync(copy);
    await db?.close();
    db = undefined;
    assert.equal(copyMain(), "opened");
  });

  test("has no mark after an orderly end, though a process died in the middle of moving", async () => {
    await make();
    const other = new DatabaseSync(file);
    other.exec(`pragma user_version = ${0x4b54}`);
    other.close();
    await db?.close();
    db = undefined;
    assert.equal(copyMain(), "opened");
  });

  test("is moved while others read, if much was written", async () => {
    const other = path.join(folder, "c");
    const writing = new DatabaseSync(other);
    writing.exec("pragma journal_mode = wal; create table notes (value text)");
    const log = new SqliteLog(writing, other, { pages: 10 });
    await log.afterCommit();
    writing.exec(`insert into notes values ('${"x".repeat(100_000)}')`);
    let isMoved = false;
    const moving = log.afterCommit().then(() => (isMoved = true));
    await nextTurn();
    const row = writing.prepare("select count(*) as count from notes").get();
    assert.equal(row?.["count"], 1);
    assert.equal(isMoved, false);
    await moving;
    assert.ok(statSync(other).size > 100_000);
    log.close();
    writing.close();
  });

  test("marks what it moves, and moves it again and again", async () => {
    const other = path.join(folder, "c");
    const writing = new DatabaseSync(other);
    writing.exec("pragma journal_mode = wal; create table notes (value text)");
    const log = new SqliteLog(writing, other, { pages: 10 });
    const insert = writing.prepare("insert into notes values (?)");
    const lengths: number[] = [];
    for (let count = 0; count < 100; count += 1) {
      insert.run("x".repeat(4_000));
      await log.afterCommit();
      const row = writing.prepare("pragma wal_checkpoint(noop)").get();
      lengths.push(Number(row?.["log"]));
      const version = writing.prepare("pragma user_version").get();
      assert.equal(version?.["user_version"], 0);
    }
    assert.ok(Math.max(...lengths) < 20, `${Math.max(...lengths)} pages`);
    log.close();
    writing.close();
  });
});

test("a transaction is done once its commit is flushed, in the thread pool", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "kith-flushed-"));
  const db = openSqlite(path.join(folder, "a"));
  await db.transaction((tx) => sql`create table notes (value)`.execute(tx));
  // With all threads taken, nothing can be flushed.
  let isFree = false;
  const busy = Array.from({ length: 16 }, async () => {
    await promisify(pbkdf2)("password", "salt", 100_000, 32, "sha256");
    isFree = true;
  });
  await db.transaction((tx) => sql`insert into notes values (1)`.execute(tx));
  assert.ok(isFree);
  await Promise.all(busy);
  await db.close();
  rmSync(folder, { recursive: true });
});

describe("a flush of SQLite's log", () => {
  let folder: string;
  let file: string;
  let writing: DatabaseSync;
  let log: SqliteLog;
  let isBroken: boolean;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), "kith-flush-"));
    file = path.join(folder, "a");
    writing = new DatabaseSync(file);
    writing.exec("pragma journal_mode = wal; create table notes (value text)");
    isBroken = false;
    log = new SqliteLog(writing, file, {
      flushFile: async (handle) => {
        if (isBroken) throw new Error("a page could not be written");
        fdatasyncSync(handle);
      },
    });
  });
  afterEach(() => {
    log.close();
    writing.close();
    rmSync(folder, { recursive: true });
  });

  const write = () => writing.exec("insert into notes values ('a')");

  /** Counts the notes in the main file alone, as if the log were lost. */
  function countInMain(): unknown {
    const url = pathToFileURL(file);
    url.searchParams.set("immutable", "1");
    const main = new DatabaseSync(url, { readOnly: true });
    const row = main.prepare("select count(*) as count from notes").get();
    main.close();
    return row?.["count"];
  }

  test("leaves the main file alone", async () => {
    await log.flush();
    await log.afterCommit();
    write();
    await log.flush();
    await log.afterCommit();
    assert.equal(countInMain(), 0);
  });

  test("that fails writes everything to the main file, and begins the log anew", async () => {
    write();
    isBroken = true;
    await log.flush();
    assert.equal(countInMain(), 1);
    assert.equal(statSync(`${file}-wal`).size, 0);
    isBroken = false;
    write();
    await log.flush();
    assert.equal(countInMain(), 1);
  });

  test("that fails, while a reader keeps the log, is refused until everything is in the main file", async () => {
    const reading = new DatabaseSync(file, { readOnly: true });
    reading.exec("begin; select count(*) from notes");
    write();
    isBroken = true;
    await assert.rejects(log.flush(), /cannot be flushed/);
    isBroken = false;
    write();
    await assert.rejects(log.flush(), /cannot be flushed/);
    reading.close();
    await log.flush();
    assert.equal(countInMain(), 2);
  });
});
