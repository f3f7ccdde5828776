import type { Tx } from "../db.ts";

type Work = () => Promise<void>;

const deferredOf = new WeakMap<object, DeferredWrites>();

/**
 * Writes to rows of an index that units of work defer to the end of the group in which they are
 * committed. FTS5 flushes what it holds in memory at each savepoint, and at each row below the one
 * before, and merges the many segments later; written together, in order, the rows become one.
 */
export class DeferredWrites {
  #ofUnit = new Map<number, Work>();
  #ofGroup = new Map<number, Work>();

  /** @param tx the transaction of all units, whose writes it takes from now on */
  serve(tx: Tx): void {
    deferredOf.set(tx, this);
  }

  add(row: number, work: Work): void {
    this.#ofUnit.set(row, work);
  }

  /** The unit has succeeded. */
  keep(): void {
    for (const [row, work] of this.#ofUnit) this.#ofGroup.set(row, work);
    this.#ofUnit.clear();
  }

  /** The unit is rolled back. */
  drop(): void {
    this.#ofUnit.clear();
  }

  /** The group is rolled back. */
  dropAll(): void {
    this.#ofUnit.clear();
    this.#ofGroup.clear();
  }

  async write(): Promise<void> {
    const works = [...this.#ofGroup].sort(([a], [b]) => a - b);
    this.#ofGroup.clear();
    for (const [, work] of works) await work();
  }
}

/**
 * Writes a row of an index before the transaction commits. On SQLite the write is deferred until all
 * units of the group have run, and only the last one of a row is carried out; elsewhere it runs at
 * once. The unit does not see a deferred write; its failure fails the group, as a failed commit does.
 */
export async function deferWrite(
  tx: Tx,
  row: number,
  work: Work,
): Promise<void> {
  const deferred = deferredOf.get(tx);
  if (deferred) deferred.add(row, work);
  else await work();
}
