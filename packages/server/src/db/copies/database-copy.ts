import type { DatabaseLocation } from "../open-database.ts";

/** One table of a copied database. */
export type CopiedTable = {
  readonly name: string;
  readonly rows: number;
  /** SHA-256, in hex, of its last rows by primary key; null without one. */
  readonly sample: string | null;
  /** The columns of its file, on PostgreSQL. */
  readonly columns?: readonly string[];
};

/** The last number that an identity column of PostgreSQL has given. */
export type CopiedSequence = {
  readonly table: string;
  readonly column: string;
  readonly last: string;
  readonly isCalled: boolean;
};

/** The content of a database at one moment, in files of one folder. */
export type DatabaseCopy = {
  readonly kind: DatabaseLocation["kind"];
  /** The numbers of the migrations that made its schema. */
  readonly migrations: readonly number[];
  readonly tables: readonly CopiedTable[];
  readonly sequences: readonly CopiedSequence[];
};

/** The only file of a copied SQLite database. */
export const SQLITE_COPY = "kith.sqlite";

/** The file of a table of PostgreSQL. */
export function tableFile(table: string): string {
  return `${table}.copy`;
}

/** How many rows of each table are compared after a restore. */
export const SAMPLED_ROWS = 100;

/** `Kith`: the header of a copied SQLite database, where `file` shows it. */
export const APPLICATION_ID = 0x4b697468;
