import type { Db, Tx } from "./db.ts";

/**
 * Runs in the caller's transaction if there is one, or else in one of its own.
 */
export function inTransaction<T>(
  db: Db,
  outer: Tx | undefined,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return outer ? work(outer) : db.transaction(work);
}
