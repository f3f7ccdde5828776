import type { Db, Tx } from "./db.ts";

/** Works in the caller's transaction where there is one, else in one of its own. */
export function inTransaction<T>(
  db: Db,
  outer: Tx | undefined,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return outer ? work(outer) : db.transaction(work);
}
