import type { Tx } from "../db/db.ts";
import type { Facts } from "./facts.ts";

/** Where things of one kind keep their ActivityPub ids. */
type UriStore<T> = {
  readonly find: (tx: Tx, key: { uri: string }) => Promise<unknown>;
  readonly add: (tx: Tx, known: T, uri: string) => Promise<void>;
};

/**
 * Notes the ActivityPub id of a thing that came without one, or under one that could
 * not be confirmed then, and wakes what waits for it. An id that names another thing
 * stays there.
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
