import { existsSync } from "node:fs";
import { OperatorError } from "../lib/errors.ts";
import type { Db } from "./db.ts";
import { hasSchema } from "./migrate.ts";
import { openDatabase, type DatabaseLocation } from "./open-database.ts";

/**
 * Opens a database that `kith serve` made. A wrong setting must not make a second,
 * empty one.
 * @param mayBeEmpty an empty PostgreSQL database will do
 * @throws {OperatorError} where there is none
 */
export async function openExisting(
  location: DatabaseLocation,
  { mayBeEmpty = false }: { readonly mayBeEmpty?: boolean } = {},
): Promise<Db> {
  refuseMissing(location);
  const db = await openDatabase(location);
  try {
    if (!mayBeEmpty && location.kind === "postgres" && !(await hasSchema(db)))
      throw new OperatorError(
        "The PostgreSQL database has no tables of Kith's. Start kith serve once, or correct KITH_DATABASE_URL.",
      );
    return db;
  } catch (error) {
    await db.close();
    throw error;
  }
}

function refuseMissing(location: DatabaseLocation): void {
  if (location.kind === "sqlite" && !existsSync(location.file))
    throw new OperatorError(
      `There is no database at ${location.file}. Start kith serve once, or correct KITH_DATA_DIR.`,
    );
}
