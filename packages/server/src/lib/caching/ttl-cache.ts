import type { Clock } from "../time/clock.ts";

/** What is read often and seldom changes, kept in memory for a while. */
export type TtlCache<T> = {
  get(): Promise<T>;
  /** What is kept, where it need not be read anew. */
  peek(): T | undefined;
  /** It was changed here: the next one who asks reads it anew. */
  forget(): void;
};

/** @param keepMs how long another process may not know of a change */
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
    get: async () => {
      const atMs = clock.now().getTime();
      const known = peekAt(atMs);
      if (known !== undefined) return known;
      const before = changes;
      const value = await read();
      // What was read while it was changed may be as it was before.
      if (changes === before) kept = { atMs, value };
      return value;
    },
    forget: () => {
      changes += 1;
      kept = undefined;
    },
  };
}
