import type { Db, OnQuery } from "./db.ts";
import {
  openPostgres,
  type PostgresLocation,
} from "./postgres/open-postgres.ts";
import { openSqlite } from "./sqlite/open-sqlite.ts";

/** Where the data is stored: a file of our own, or a PostgreSQL server. */
export type DatabaseLocation =
  { readonly kind: "sqlite"; readonly file: string } | PostgresLocation;

/** @throws {DatabaseUnusable} */
export async function openDatabase(
  location: DatabaseLocation,
  onQuery?: OnQuery,
): Promise<Db> {
  return location.kind === "sqlite"
    ? openSqlite(location.file, onQuery)
    : openPostgres(location, onQuery);
}
