import { existsSync } from "node:fs";
import path from "node:path";
import { hasSchema } from "../db/migrate.ts";
import { openDatabase, type DatabaseLocation } from "../db/open-database.ts";
import { OperatorError } from "../lib/errors.ts";

/** A folder of the data directory, from the beginning of a restore to its end. */
export const RESTORING = "restoring";

/**
 * Refuses a data directory in which a restore was interrupted: a server made there
 * would be a new one. The database comes last, so one that exists is whole.
 * @throws {OperatorError}
 */
export async function refuseHalfRestored(
  dataDir: string,
  location: DatabaseLocation,
): Promise<void> {
  if (!existsSync(path.join(dataDir, RESTORING))) return;
  if (await hasDatabase(location)) return;
  throw new OperatorError(
    `A restore into ${dataDir} was interrupted. Run kith restore again, or remove what it has left there.`,
  );
}

async function hasDatabase(location: DatabaseLocation): Promise<boolean> {
  if (location.kind === "sqlite") return existsSync(location.file);
  const db = await openDatabase(location);
  try {
    return await hasSchema(db);
  } finally {
    await db.close();
  }
}
