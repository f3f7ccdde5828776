import { existsSync } from "node:fs";
import { OperatorError } from "../lib/errors.ts";
import type { Clock } from "../lib/time/clock.ts";
import type { Db } from "./db.ts";
import { hasSchema, migrate } from "./migrate.ts";
import { openDatabase, type DatabaseLocation } from "./open-database.ts";

/**
 * Opens a database that `kith serve` made. A wrong setting must not make a second,
 * empty one.
 * @throws {OperatorError} where there is none
 */
export async function openExisting(location: DatabaseLocation): Promise<Db> {
  refuseMissing(location);
  const db = await openDatabase(location);
  try {
    if (location.kind === "postgres" && !(await hasSchema(db)))
      throw new OperatorError(
        "The PostgreSQL database has no tables of Kith's. Start kith serve once, or correct KITH_DATABASE_URL.",
      );
    return db;
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** Brings an existing schema up to date. @returns the names of the migrations it ran @throws {OperatorError} */
export async function migrateExisting(
  location: DatabaseLocation,
  clock: Clock,
): Promise<string[]> {
  refuseMissing(location);
  const db = await openDatabase(location);
  try {
    return await migrate(db, clock);
  } finally {
    await db.close();
  }
}

function refuseMissing(location: DatabaseLocation): void {
  if (location.kind === "sqlite" && !existsSync(location.file))
    throw new OperatorError(
      `There is no database at ${location.file}. Start kith serve once, or correct KITH_DATA_DIR.`,
    );
}
