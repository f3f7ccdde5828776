import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Kysely } from "kysely";
import { messageOf } from "../../lib/errors.ts";
import { CommitListeners } from "../commit-listeners.ts";
import { DatabaseUnusable, type Db, type OnQuery, type Tx } from "../db.ts";
import type { Database } from "../schema/schema.ts";
import { NodeSqliteDialect, SqliteConnection } from "./sqlite-dialect.ts";
import { refuseWithoutLog } from "./main-file.ts";
import { SqliteLog } from "./sqlite-log.ts";
import { SqliteWriter } from "./sqlite-writer.ts";
import { WriteListeners } from "../writes/write-listeners.ts";

/** For each of the two connections. Grows with use only. */
const CACHE_KIB = 16 * 1024;
/** The read-only connection rejects anything else. */
const IS_QUERY = /^\s*select\b/i;

/**
 * Opens the embedded database: WAL, so that readers and the writer do not block
 * each other, and `synchronous=NORMAL`, with which SQLite flushes the WAL before it
 * checkpoints it; `SqliteLog` flushes it after each commit, so that the commit survives a power cut.
 * @throws {DatabaseUnusable}
 */
export function openSqlite(file: string, onQuery?: OnQuery): Db {
  refuseWithoutLog(file);
  const [writing, reading] = openBoth(file);
  const log = new SqliteLog(writing, file);
  const writer = new SqliteConnection(writing);
  const reader = new SqliteConnection(reading);
  const version = reading.prepare("pragma data_version");
  const listeners = new CommitListeners();
  const read = new Kysely<Database>({
    // A write on one connection invalidates the page cache of the other. So the
    // writing connection reads, too, unless it is in a transaction.
    dialect: new NodeSqliteDialect(
      (sql) => (writing.isTransaction || !IS_QUERY.test(sql) ? reader : writer),
      onQuery,
    ),
  });
  const write = new Kysely<Database>({
    dialect: new NodeSqliteDialect(() => writer, onQuery),
  }) as Tx;
  const writes = new WriteListeners();
  const queue = new SqliteWriter({
    database: writing,
    flush: () => log.flush(),
    afterCommit: () => {
      writes.notify(writer.writes.take());
      const moved = log.afterCommit();
      listeners.notify(write);
      return moved;
    },
    afterFailure: () => {
      writer.writes.take();
      // A commit that failed may stand all the same.
      writes.notify(undefined);
    },
  });
  queue.deferred.serve(write);
  const foreign = writing.prepare("pragma data_version");
  let lastForeign = foreign.get()?.["data_version"];
  return {
    dialect: "sqlite",
    read,
    transaction: (work) => queue.run(() => work(write)),
    together: (_keys, work) => queue.run(() => work(write)),
    // Read on the connection that does not write, for which each commit is
    // foreign.
    mark: async () => String(version.get()?.["data_version"]),
    onCommit: (listener) => listeners.add(listener),
    onWrites: (listener) => writes.add(listener),
    // On the connection that writes, only the commits of others count.
    findForeignWrites: () => {
      const now = foreign.get()?.["data_version"];
      if (now === lastForeign) return;
      lastForeign = now;
      writes.notify(undefined);
    },
    close: async () => {
      await queue.idle();
      log.close();
      reading.close();
      writing.close();
    },
  };
}

function openBoth(file: string): [DatabaseSync, DatabaseSync] {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const writing = new DatabaseSync(file, { timeout: 5000 });
    // The time-out comes first: switching to WAL needs a lock too.
    // A new file can shrink again (`maintainDatabase`); this changes no existing one.
    writing.exec(`pragma busy_timeout = 5000; pragma auto_vacuum = incremental;
      pragma journal_mode = wal;
      pragma synchronous = normal; pragma foreign_keys = on;
      pragma temp_store = memory; pragma cache_size = -${CACHE_KIB};`);
    const reading = new DatabaseSync(file, { timeout: 5000 });
    reading.exec(`pragma busy_timeout = 5000; pragma query_only = on;
      pragma temp_store = memory; pragma cache_size = -${CACHE_KIB};`);
    return [writing, reading];
  } catch (error) {
    throw new DatabaseUnusable(
      `The database ${file} cannot be opened: ${messageOf(error)}.`,
    );
  }
}
