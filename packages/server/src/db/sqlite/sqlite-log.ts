import { closeSync, fdatasync, openSync, readSync } from "node:fs";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { promisify } from "node:util";
import { messageOf } from "../../lib/errors.ts";
import { createCheckpointer } from "./checkpointer.ts";
import { HAS_LOG, readMark } from "./main-file.ts";

/**
 * Checkpoint after so many pages of 4 KiB: each checkpoint writes all of them
 * again, in a thread if there are so many.
 */
const CHECKPOINT_PAGES = 4000;

type LogState = {
  /** Pages in the WAL, and how many of these are checkpointed. */
  readonly log: number;
  readonly checkpointed: number;
  /** Changes each time the WAL restarts. */
  readonly salt: string;
};

type LogOptions = {
  /** Checkpoint after so many pages. */
  readonly pages?: number;
  /** Flushes a file to the disk, given its handle. */
  readonly flushFile?: (handle: number) => Promise<void>;
};

const flushToDisk = promisify(fdatasync);

/** Position and length of the salts in the header of a WAL. */
const SALT = { position: 16, length: 8 } as const;

/**
 * Flushes SQLite's WAL to the disk, checkpoints it into the main file now and then, and marks the
 * main file as incomplete; the mark is cleared in the WAL only. So a copy of the
 * main file alone is recognized as incomplete, while the database with its WAL,
 * a copy made by SQLite, and a closed file have no mark.
 */
export class SqliteLog {
  readonly #database: DatabaseSync;
  /** Reads the state without a checkpoint. */
  readonly #readState: StatementSync;
  readonly #pages: number;
  readonly #flushFile: (handle: number) => Promise<void>;
  readonly #checkpointer = createCheckpointer();
  readonly #main: string;
  readonly #file: string;
  #handle: number | undefined;
  /** Pages of the WAL may be missing on the disk. */
  #isDamaged = false;
  #seen: LogState | undefined;
  /** A reader of an older state kept the mark out of the main file. */
  #isUnmarked = false;

  constructor(
    database: DatabaseSync,
    file: string,
    { pages = CHECKPOINT_PAGES, flushFile = flushToDisk }: LogOptions = {},
  ) {
    this.#database = database;
    this.#main = file;
    this.#file = `${file}-wal`;
    this.#pages = pages;
    this.#flushFile = flushFile;
    database.exec("pragma wal_autocheckpoint = 0");
    this.#readState = database.prepare("pragma wal_checkpoint(noop)");
  }

  /**
   * Resolves once everything committed so far survives a power cut. It is what SQLite does at each
   * commit with `synchronous=FULL`, but other work goes on meanwhile.
   * @throws {Error} if that is not certain
   */
  async flush(): Promise<void> {
    try {
      if (!this.#isDamaged) return await this.#flushFile(this.#open());
    } catch (error) {
      this.#isDamaged = true;
      process.emitWarning(
        `The log of the database was not flushed to the disk: ${messageOf(error)}`,
      );
    }
    this.#checkpointAll();
    this.#isDamaged = false;
  }

  /**
   * Writes everything to the main file and begins the WAL anew. The system reports a page that it could
   * not write only once, and after a power cut SQLite would ignore everything behind that page.
   */
  #checkpointAll(): void {
    this.#seen = undefined;
    const wait = this.#database.prepare("pragma busy_timeout").get();
    // Waiting for a reader would block everybody.
    this.#database.exec("pragma busy_timeout = 0");
    try {
      const moved = this.#database.prepare("pragma wal_checkpoint(truncate)");
      if (moved.get()?.["busy"] !== 0)
        throw new Error(
          "The log of the database cannot be flushed to the disk",
        );
    } finally {
      this.#database.exec(`pragma busy_timeout = ${Number(wait?.["timeout"])}`);
    }
  }

  /**
   * Runs after each commit. Nothing may be committed until the promise is resolved, but others may
   * read. A checkpoint that fails, as on a full disk, is retried later.
   */
  async afterCommit(): Promise<void> {
    try {
      if (this.#isUnmarked && this.#isHeldBack()) return;
      const { log, checkpointed, salt } = this.#read();
      const seen = this.#seen;
      // After a checkpoint by another process the main file has no mark.
      const isMarked =
        !this.#isUnmarked &&
        salt === seen?.salt &&
        checkpointed === seen.checkpointed;
      // A long read may have kept the last checkpoint from moving anything.
      if (!isMarked || log - seen.log >= this.#pages)
        await this.#checkpoint(log - checkpointed);
    } catch {
      this.#seen = undefined;
    }
  }

  async #checkpoint(pages: number): Promise<void> {
    try {
      this.#database.exec(`pragma user_version = ${HAS_LOG}`);
      if (pages >= this.#pages) await this.#checkpointer.run(this.#main);
      else this.#database.exec("pragma wal_checkpoint(passive)");
    } finally {
      this.#clearMark();
    }
    this.#seen = this.#read();
    // A backup, or a command, may still read a state before the mark, which then
    // stays out of a main file that had none. One that it had stays: SQLite moves no
    // page before its newest version.
    this.#isUnmarked = readMark(this.#main) !== HAS_LOG;
  }

  /** Does a reader still keep the WAL from moving? Costs little while one does. */
  #isHeldBack(): boolean {
    this.#database.exec("pragma wal_checkpoint(passive)");
    const { log, checkpointed } = this.#read();
    return checkpointed < log;
  }

  #clearMark(): void {
    this.#database.exec("pragma user_version = 0");
  }

  #read(): LogState {
    const row = this.#readState.get();
    const salt = Buffer.alloc(SALT.length);
    readSync(this.#open(), salt, 0, SALT.length, SALT.position);
    return {
      log: Number(row?.["log"]),
      checkpointed: Number(row?.["checkpointed"]),
      salt: salt.toString("hex"),
    };
  }

  /** For writing, without which Windows flushes nothing. */
  #open(): number {
    return (this.#handle ??= openSync(this.#file, "r+"));
  }

  /**
   * Call it before the database is closed, which checkpoints everything and
   * removes the WAL.
   */
  close(): void {
    this.#checkpointer.close();
    try {
      const row = this.#database.prepare("pragma user_version").get();
      if (row?.["user_version"] === HAS_LOG) this.#clearMark();
    } catch {
      // If the mark cannot be written now, neither can a checkpoint: the WAL
      // stays.
    }
    if (this.#handle !== undefined) closeSync(this.#handle);
    this.#handle = undefined;
  }
}
