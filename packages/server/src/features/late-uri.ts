import type { Tx } from "../db/db.ts";
import type { Facts } from "./facts.ts";

/** The store of ActivityPub ids for one kind of object. */
type UriStore<T> = {
  readonly find: (tx: Tx, key: { uri: string }) => Promise<unknown>;
  readonly add: (tx: Tx, known: T, uri: string) => Promise<void>;
};

/**
 * Records the ActivityPub id of an object that arrived without one, or with one that could
 * not be confirmed at the time, and wakes deferred messages that wait for it. An id that
 * already belongs to another object is left there.
 */
export async function addLateUri<T extends { readonly uri: string | null }>(
  facts: Pick<Facts, "noteArrival">,
  tx: Tx,
  known: T,
  uri: string | null,
  { find, add }: UriStore<T>,
): Promise<void> {
  if (known.uri !== null || uri === null) return;
  if (await find(tx, { uri })) return;
  await add(tx, known, uri);
  await facts.noteArrival(tx, [uri]);
}
