import type { Tx } from "../db.ts";

type Work = () => Promise<void>;

const lateOf = new WeakMap<object, LateWrites>();

/**
 * Writes to rows of an index that units of work leave to the end of the group in which they are
 * committed. FTS5 writes what it holds in memory at each savepoint, and at each row below the one
 * before, and merges the many pieces later; written together, in order, the rows become one piece.
 */
export class LateWrites {
  #ofUnit = new Map<number, Work>();
  #ofGroup = new Map<number, Work>();

  /** @param tx the transaction of all units */
  serve(tx: Tx): void {
    lateOf.set(tx, this);
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
 * Writes a row of an index before the transaction is committed: on SQLite after all units of its
 * group, any of which may have changed the same by then, and only once; elsewhere at once. The
 * unit does not see the write, and a failure is one of the whole group, as if its commit had failed.
 */
export async function writeLate(
  tx: Tx,
  row: number,
  work: Work,
): Promise<void> {
  const late = lateOf.get(tx);
  if (late) late.add(row, work);
  else await work();
}
