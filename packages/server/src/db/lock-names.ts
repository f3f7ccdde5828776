import type { DialectName, Tx } from "./db.ts";
import { lockKeys } from "./dialect.ts";
import { keysOf, type Names } from "./together/names.ts";

/**
 * Locks the names of objects until the end of the transaction: before storing
 * an object, and before checking that it is missing in order to wait for it.
 */
export async function lockNames(
  tx: Tx,
  dialect: DialectName,
  names: Names,
): Promise<void> {
  await lockKeys(tx, dialect, keysOf(names));
}
