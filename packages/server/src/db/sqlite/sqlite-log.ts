import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { DatabaseUnusable } from "../db.ts";

/** In the header of a main file to which a log belongs. Any other number would do, but for 0. */
const HAS_LOG = 0x4b54;
/** Pages of 4 KiB that may wait in the log: each time all are written once more, so not too often. */
const CHECKPOINT_PAGES = 4000;

type LogState = {
  /** How many pages are in the log, and how many of these in the main file, too. */
  readonly log: number;
  readonly checkpointed: number;
  /** Another one each time that the log begins anew. */
  readonly salt: string;
};

/** Where the header of a log has its salts, and how long they are. */
const SALT = { position: 16, length: 8 } as const;

/**
 * Moves SQLite's log into the main file now and then, and leaves a mark there that a log
 * goes on beside it; only the log takes the mark back. So a copy of the main file alone
 * shows that something is missing, while the database as SQLite reads it, with its log, a
 * copy made by SQLite, and a file that was closed carry no mark.
 */
export class SqliteLog {
  readonly #database: DatabaseSync;
  /** Looks, and moves nothing. */
  readonly #look: StatementSync;
  readonly #pages: number;
  readonly #file: string;
  #handle: number | undefined;
  #seen: LogState | undefined;

  /** @param pages after how many the log is moved */
  constructor(database: DatabaseSync, file: string, pages = CHECKPOINT_PAGES) {
    this.#database = database;
    this.#file = `${file}-wal`;
    this.#pages = pages;
    database.exec("pragma wal_autocheckpoint = 0");
    this.#look = database.prepare("pragma wal_checkpoint(noop)");
  }

  /** After each commit. What cannot be moved now, as on a full disk, is moved later. */
  afterCommit(): void {
    try {
      const { log, checkpointed, salt } = this.#read();
      const seen = this.#seen;
      // Where somebody else has moved it, what the main file holds has no mark any more.
      const isMarked =
        salt === seen?.salt && checkpointed === seen.checkpointed;
      if (!isMarked || log - checkpointed >= this.#pages) this.#move();
    } catch {
      this.#seen = undefined;
    }
  }

  #move(): void {
    try {
      this.#database.exec(`pragma user_version = ${HAS_LOG};
        pragma wal_checkpoint(passive)`);
    } finally {
      this.#takeBack();
    }
    this.#seen = this.#read();
  }

  #takeBack(): void {
    this.#database.exec("pragma user_version = 0");
  }

  #read(): LogState {
    const row = this.#look.get();
    this.#handle ??= openSync(this.#file, "r");
    const salt = Buffer.alloc(SALT.length);
    readSync(this.#handle, salt, 0, SALT.length, SALT.position);
    return {
      log: Number(row?.["log"]),
      checkpointed: Number(row?.["checkpointed"]),
      salt: salt.toString("hex"),
    };
  }

  /** Before the database is closed, which moves everything and removes the log. */
  close(): void {
    try {
      const row = this.#database.prepare("pragma user_version").get();
      if (row?.["user_version"] === HAS_LOG) this.#takeBack();
    } catch {
      // What cannot be written now cannot be moved either: the log stays.
    }
    if (this.#handle !== undefined) closeSync(this.#handle);
    this.#handle = undefined;
  }
}

/**
 * Looks whether a main file lacks the log that belongs to it, before anything opens it
 * to write. @throws {DatabaseUnusable}
 */
export function refuseWithoutLog(file: string): void {
  const log = `${file}-wal`;
  if (existsSync(log) || !existsSync(file) || statSync(file).size === 0) return;
  const found = readMain(file);
  if (found === undefined) return;
  if (found.mark === HAS_LOG)
    throw new DatabaseUnusable(
      `The database ${file} was copied without its log, ${log}, which holds what was written last. Copy both while Kith is stopped, or have SQLite make the copy (vacuum into). To go on with what the one file holds, put an empty file at ${log} first`,
    );
  if (found.isEmpty)
    throw new DatabaseUnusable(
      `The database ${file} holds nothing: its log, ${log}, which may hold everything, was not copied with it. Copy both while Kith is stopped. For a new server, remove ${file} first`,
    );
}

/** Reads the main file alone, and makes no file beside it. Undefined where it is no database. */
function readMain(
  file: string,
): { readonly mark: number; readonly isEmpty: boolean } | undefined {
  const url = pathToFileURL(file);
  url.searchParams.set("immutable", "1");
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(url, { readOnly: true });
    const row = database
      .prepare(
        `select user_version as mark,
          not exists (select 1 from sqlite_schema) as empty
        from pragma_user_version`,
      )
      .get();
    return { mark: Number(row?.["mark"]), isEmpty: row?.["empty"] === 1 };
  } catch {
    return undefined;
  } finally {
    database?.close();
  }
}
