import type { QueryMerger } from "./merge-queries.ts";

/** A unit of work that shares its transaction with others. */
type SharedUnit = {
  readonly merger: QueryMerger;
  /** The keys that no other unit of the transaction has; its locks are on these. */
  readonly keys: ReadonlySet<string>;
};

const mergers = new WeakMap<object, QueryMerger>();
const units = new WeakMap<object, SharedUnit>();

/** Lets the prepared queries of a reader, or of all who share it, be merged. */
export function mergeQueriesOf(reader: object, merger: QueryMerger): void {
  mergers.set(reader, merger);
}

/** @returns undefined where queries are not merged */
export function mergerOf(reader: object): QueryMerger | undefined {
  return mergers.get(reader);
}

export function beginSharedUnit(tx: object, unit: SharedUnit): void {
  mergeQueriesOf(tx, unit.merger);
  units.set(tx, unit);
}

/** @returns undefined for a transaction that nothing shares */
export function sharedUnitOf(tx: object): SharedUnit | undefined {
  return units.get(tx);
}

/**
 * Locks keys for a unit. Locks of one transaction never exclude each other, so a unit may lock only
 * the keys by which it was kept apart from the others.
 * @throws {Error} for another one: the unit must run alone
 */
export async function lockInShared(
  { merger, keys: own }: SharedUnit,
  keys: readonly string[],
): Promise<void> {
  const other = keys.find((key) => !own.has(key));
  if (other !== undefined)
    throw new Error(`A lock on ${other} needs a transaction of its own`);
  await merger.lock(keys);
}
