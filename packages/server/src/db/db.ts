import type { Kysely } from "kysely";
import { OperatorError } from "../lib/errors.ts";
import type { Database } from "./schema/schema.ts";

/** Where queries run. Both a transaction and the outer database can be read from. */
export type Reader = Kysely<Database>;

/** A transaction: what a write needs as its first argument. */
export type Tx = Kysely<Database> & { readonly brand: "Tx" };

/** Told how many milliseconds each query took. */
export type OnQuery = (ms: number) => void;

export type DialectName = "sqlite" | "postgres";

/** The database, the same on SQLite and PostgreSQL. */
export type Db = {
  readonly dialect: DialectName;
  /** For reading outside of a transaction. Sees what is committed. */
  readonly read: Reader;
  /**
   * Runs `work` in one transaction; resolves when it is durable. Inside, await
   * only queries of `tx`. On PostgreSQL `work` may run again after a
   * serialisation conflict, so it must have no effect beside the database.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * Names what is committed just now, by whatever process: while it stays the
   * same, every query outside of a transaction answers the same.
   */
  mark(): Promise<string>;
  /** Calls `listener` with the transaction after every commit in this process. */
  onCommit(listener: (tx: Tx) => void): void;
  close(): Promise<void>;
};

/** The database cannot be used; the message says why, in words for an operator. */
export class DatabaseUnusable extends OperatorError {
  constructor(message: string) {
    super(message);
    this.name = "DatabaseUnusable";
  }
}
