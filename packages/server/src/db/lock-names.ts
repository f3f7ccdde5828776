import type { DialectName, Tx } from "./db.ts";
import { lockKeys } from "./dialect.ts";

/**
 * An object has a guid, a URI, or both; a person has a handle. Each means the
 * same on every server.
 */
export type Names = readonly (string | null)[];

/**
 * Locks the names of objects until the end of the transaction: before storing
 * an object, and before checking that it is missing in order to wait for it.
 */
export async function lockNames(
  tx: Tx,
  dialect: DialectName,
  names: Names,
): Promise<void> {
  const keys = names.flatMap((name) => (name === null ? [] : `name:${name}`));
  await lockKeys(tx, dialect, keys);
}
