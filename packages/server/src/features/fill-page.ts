import { scheduler } from "node:timers/promises";
import { isReadBackwards, type ListOrder, type Page } from "./page.ts";

/** A list some of whose records are left out after they were read. */
export type FilteredList<T> = {
  readonly order: ListOrder;
  readonly read: (page: Page) => Promise<readonly T[]>;
  readonly leaveOut: (records: readonly T[]) => Promise<readonly T[]>;
  /** The cost of a look at a record, in characters compared. */
  readonly workOf: (record: T) => number;
};

/** How far one page is read, however much is left out: the page is shorter then. */
export const FILL_LIMITS = { records: 2_000, work: 200_000_000 } as const;

const MOST_AT_ONCE = 100;

/**
 * Reads on until the page is full or the list ends, so that records that are left out leave
 * no holes. The offset counts the records that are shown.
 */
export async function fillPage<T extends { readonly id: number }>(
  page: Page,
  { order, read, leaveOut, workOf }: FilteredList<T>,
): Promise<T[]> {
  const isBackwards = isReadBackwards(page, order);
  const wanted = page.offset + page.limit;
  const limit = Math.min(wanted, MOST_AT_ONCE);
  let shown: T[] = [];
  let next: Page = { ...page, offset: 0, limit };
  let left: { records: number; work: number } = { ...FILL_LIMITS };
  while (shown.length < wanted && left.records > 0 && left.work > 0) {
    const records = await read(next);
    const kept = await leaveOut(records);
    shown = isBackwards ? [...kept, ...shown] : [...shown, ...kept];
    const last = isBackwards ? records[0] : records.at(-1);
    if (!last || records.length < limit) break;
    next = { ...next, [keyOf(order, isBackwards)]: last.id };
    left = {
      records: left.records - records.length,
      work: left.work - records.reduce((sum, it) => sum + workOf(it), 0),
    };
    await scheduler.yield();
  }
  const end = isBackwards ? shown.length - page.offset : wanted;
  return shown.slice(Math.max(0, end - page.limit), Math.max(0, end));
}

/** The key that moves on: the side of the last record on which the rest of the list is. */
function keyOf(order: ListOrder, isBackwards: boolean): "before" | "after" {
  return (order === "newest first") === isBackwards ? "after" : "before";
}
