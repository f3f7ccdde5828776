import type { Clock } from "./clock.ts";

/** Counts what strangers cause, so that none of them causes too much. */
export type RateLimit = {
  /** @returns false where `key` has had its share of this window */
  take(key: string): boolean;
};

const MAX_KEYS = 10_000;

/**
 * Lets each key through `max` times in a window. In memory: a restart forgives.
 * @param windowMs from the first time on
 */
export function createRateLimit({
  clock,
  max,
  windowMs,
}: {
  readonly clock: Clock;
  readonly max: number;
  readonly windowMs: number;
}): RateLimit {
  const windows = new Map<string, { startMs: number; count: number }>();
  return {
    take: (key) => {
      const nowMs = clock.now().getTime();
      const current = windows.get(key);
      if (current && nowMs - current.startMs < windowMs) {
        current.count += 1;
        return current.count <= max;
      }
      // Whoever makes up this many keys gains a fresh window, and no memory.
      if (windows.size >= MAX_KEYS) windows.clear();
      windows.set(key, { startMs: nowMs, count: 1 });
      return max >= 1;
    },
  };
}
