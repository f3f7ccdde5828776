import type { Clock } from "../time/clock.ts";
import { withCurrentReads } from "./old-reads.ts";

/** A value that is read often and seldom changes, cached in memory for a while. */
export type TtlCache<T> = {
  /** @param readNow reads it in another way, such as in a transaction */
  get(readNow?: () => Promise<T>): Promise<T>;
  /** The cached value, unless it must be read again. */
  peek(): T | undefined;
  /** Invalidates the value after a change in this process: the next `get` reads it again. */
  forget(): void;
};

/** @param keepMs how long another process may use an outdated value */
export function createTtlCache<T>(
  clock: Clock,
  keepMs: number,
  read: () => Promise<T>,
): TtlCache<T> {
  let kept: { readonly atMs: number; readonly value: T } | undefined;
  let changes = 0;
  const peekAt = (atMs: number): T | undefined =>
    // A clock may be set back.
    kept && Math.abs(atMs - kept.atMs) < keepMs ? kept.value : undefined;
  return {
    peek: () => peekAt(clock.now().getTime()),
    get: async (readNow = read) => {
      const atMs = clock.now().getTime();
      const known = peekAt(atMs);
      if (known !== undefined) return known;
      const before = changes;
      const value = await withCurrentReads(readNow);
      // A value read during a change may be the old one.
      if (changes === before) kept = { atMs, value };
      return value;
    },
    forget: () => {
      changes += 1;
      kept = undefined;
    },
  };
}
