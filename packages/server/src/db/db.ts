import type { Kysely } from "kysely";
import { OperatorError } from "../lib/errors.ts";
import type { Database } from "./schema/schema.ts";
import type { Writes } from "./writes/collect-writes.ts";

/** A source for queries: a transaction, or the database outside of one. */
export type Reader = Kysely<Database>;

/** A transaction, which every write takes as its first argument. */
export type Tx = Kysely<Database> & { readonly brand: "Tx" };

/** Called with the duration of each query in milliseconds, and its statement, which has no values. */
export type OnQuery = (ms: number, sql: string) => void;

export type DialectName = "sqlite" | "postgres";

/** The database, with the same interface on SQLite and PostgreSQL. */
export type Db = {
  readonly dialect: DialectName;
  /** Reads outside of a transaction. Sees committed data only. */
  readonly read: Reader;
  /**
   * Runs `work` in one transaction; resolves when it is durable. Inside, await
   * only queries of `tx`. On PostgreSQL `work` may run again after a
   * serialization conflict, so it must have no effect beside the database.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * The same for small works of which many come at a time. On PostgreSQL those of one moment share a
   * transaction, in which they run side by side, and so the queries that they prepared with
   * types (`prepareQuery`); one that fails runs alone, and the others once more. On
   * SQLite all transactions are committed in groups.
   * @param keys on which it may take locks (`lockKeys`): those with a common key are kept apart
   */
  together<T>(
    keys: readonly string[],
    work: (tx: Tx) => Promise<T>,
  ): Promise<T>;
  /**
   * Identifies the current committed state, across processes: while it stays
   * the same, every query outside of a transaction returns the same.
   */
  mark(): Promise<string>;
  /**
   * Calls `listener` with the transaction after every commit in this process.
   */
  onCommit(listener: (tx: Tx) => void): void;
  /**
   * Calls `listener` with what each transaction of this process wrote, as soon as it is
   * committed and before its caller goes on; and with undefined when anything may have
   * been written.
   */
  onWrites(listener: (writes: Writes) => void): void;
  /**
   * Calls those listeners if another process has written to the database file since the last
   * call. Processes on PostgreSQL send each other notices instead.
   */
  findForeignWrites(): void;
  /** Absent without `KITH_DATABASE_REPLICA_URL`, and on SQLite. */
  readonly replica?: Replica;
  close(): Promise<void>;
};

/** A standby that answers reads which may be some seconds old (`MAX_AGE_MS`). */
export type Replica = {
  /**
   * Runs `work`, whose reads outside of transactions may be old, until it writes. Where it
   * refuses or fails it runs again with current reads: what has just been made is found.
   * @param mayRepeat has it had no effect yet?
   */
  readonly answer: <T>(
    work: () => Promise<T>,
    mayRepeat: () => boolean,
  ) => Promise<T>;
  /**
   * Answers that are begun from now on show all that is committed by now: call it when something
   * was changed or removed, in this process or another.
   */
  readonly require: () => void;
  readonly state: () => ReplicaState;
};

export type ReplicaState = {
  /** Queries that it answered. */
  readonly queries: number;
  /** Queries that failed there, and were asked again of the primary. */
  readonly askedAgain: number;
  /** Answers that were given with it. */
  readonly answers: number;
  /** Answers for which it was not current enough, or not reached. */
  readonly answersWithout: number;
  /** Answers that were made again with current reads, because the first refused or failed. */
  readonly answersRepeated: number;
  /** How old its answers are at most; undefined while it is not reached. */
  readonly ageMs: number | undefined;
};

/** The database cannot be used; the message explains why to an operator. */
export class DatabaseUnusable extends OperatorError {
  constructor(message: string) {
    super(message);
    this.name = "DatabaseUnusable";
  }
}
