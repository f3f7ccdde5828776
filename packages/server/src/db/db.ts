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
   * types (`prepareQuery`); if one fails, each runs alone. On SQLite all transactions are
   * committed in groups.
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
  close(): Promise<void>;
};

/** The database cannot be used; the message explains why to an operator. */
export class DatabaseUnusable extends OperatorError {
  constructor(message: string) {
    super(message);
    this.name = "DatabaseUnusable";
  }
}
