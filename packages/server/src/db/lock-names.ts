import type { DialectName, Tx } from "./db.ts";
import { lockKeys } from "./dialect.ts";

/** A thing has a Guid, a URI, or both; a person has its handle. Each means the same on every server. */
export type Names = readonly (string | null)[];

/**
 * Holds what things are named by, until the end of the transaction: whoever stores
 * a thing does so, and whoever looks whether it is here in order to wait for it.
 */
export async function lockNames(
  tx: Tx,
  dialect: DialectName,
  names: Names,
): Promise<void> {
  const keys = names.flatMap((name) => (name === null ? [] : `name:${name}`));
  await lockKeys(tx, dialect, keys);
}
