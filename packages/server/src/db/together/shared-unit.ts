import type { QueryMerger } from "./merge-queries.ts";

/** A unit of work that shares its transaction with others. */
export type SharedUnit = {
  readonly merger: QueryMerger;
  /** The names that it alone works on; its locks are on these. */
  readonly names: ReadonlySet<string>;
};

const units = new WeakMap<object, SharedUnit>();

/** @returns undefined for a transaction that nothing shares */
export function sharedUnitOf(tx: object): SharedUnit | undefined {
  return units.get(tx);
}

export function beginSharedUnit(tx: object, unit: SharedUnit): void {
  units.set(tx, unit);
}

/**
 * Locks keys for a unit. Locks of one transaction never exclude each other, so a unit may lock only
 * the names by which it was kept apart from the others.
 * @throws {Error} for another one: the unit must run alone
 */
export async function lockInShared(
  { merger, names }: SharedUnit,
  keys: readonly string[],
): Promise<void> {
  const other = keys.find((key) => !names.has(key));
  if (other !== undefined)
    throw new Error(`A lock on ${other} needs a transaction of its own`);
  await merger.lock(keys);
}
