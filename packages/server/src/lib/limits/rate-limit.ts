import { createLruCache } from "../caching/lru-cache.ts";
import type { CountChange, SharedCounts } from "./shared-counts.ts";
import type { Clock } from "../time/clock.ts";

/** How often something may happen, and in what time. */
export type Share = { readonly max: number; readonly windowMs: number };

/** Limits how much each key, such as an address or an account, may cause. */
export type RateLimit = {
  /** Counts one. @returns false if `key` has used up its share of this window */
  take(key: string): boolean;
  /** Is its share used up? Counts nothing. */
  isSpent(key: string): boolean;
  /** Uncounts one that was allowed. */
  giveBack(key: string): void;
  /** Uncounts all. */
  forget(key: string): void;
  /** Whole seconds until the window ends, 1 at least. */
  secondsLeft(key: string): number;
  /** The state of its share in this window; undefined without a limit. Counts nothing. */
  stateOf(key: string): ShareState | undefined;
};

/** The state of a share. */
export type ShareState = {
  readonly max: number;
  readonly left: number;
  /** When the window ends. */
  readonly endsAt: Date;
};

/** Some 4 MB if all of them are in use. */
const MAX_KEYS = 20_000;

/**
 * Allows each key `max` times per window, which begins with the first use. In memory: a restart
 * resets it.
 * @param maxKeys how many are remembered
 * @param shared counts with the other processes, under a name
 */
export function createRateLimit({
  clock,
  max,
  windowMs,
  maxKeys = MAX_KEYS,
  shared,
  name = "",
}: Share & {
  readonly clock: Clock;
  readonly maxKeys?: number;
  readonly shared?: SharedCounts;
  readonly name?: string;
}): RateLimit {
  const windows = createWindows(max, windowMs, maxKeys);
  const now = () => clock.now().getTime();
  const notify = shared?.join(name, apply);

  function apply(key: string, change: CountChange): void {
    if (change === "forgotten") return windows.remove(key);
    const nowMs = now();
    const count = windows.find(key, nowMs)?.count ?? 0;
    windows.count(key, nowMs, Math.max(0, count + change));
  }

  return {
    take: (key) => {
      const nowMs = now();
      const count = windows.find(key, nowMs)?.count ?? 0;
      if (count >= max) return false;
      windows.count(key, nowMs, count + 1);
      notify?.(key, 1);
      return true;
    },
    isSpent: (key) => (windows.find(key, now())?.count ?? 0) >= max,
    giveBack: (key) => {
      const nowMs = now();
      const count = windows.find(key, nowMs)?.count ?? 0;
      if (count === 0) return;
      windows.count(key, nowMs, count - 1);
      notify?.(key, -1);
    },
    forget: (key) => {
      windows.remove(key);
      notify?.(key, "forgotten");
    },
    secondsLeft: (key) => {
      const nowMs = now();
      const startMs = windows.find(key, nowMs)?.startMs ?? nowMs;
      return Math.max(1, Math.ceil((startMs + windowMs - nowMs) / 1000));
    },
    stateOf: (key) => {
      const nowMs = now();
      const { count, startMs } = windows.find(key, nowMs) ?? {
        count: 0,
        startMs: nowMs,
      };
      const endsAt = new Date(startMs + windowMs);
      return { max, left: Math.max(0, max - count), endsAt };
    },
  };
}

type Window = { readonly startMs: number; count: number };

/**
 * The windows of all keys, in a segmented LRU cache: windows that are at least half spent have a
 * segment of their own. Made-up keys evict only windows that have hardly begun: to evict others, an
 * attacker must spend half a share under each of thousands of keys, and no limit stops an attacker
 * who has so many.
 */
function createWindows(max: number, windowMs: number, maxKeys: number) {
  const segment = () =>
    createLruCache<string, Window>({ max: Math.ceil(maxKeys / 2) });
  const [begun, halfSpent] = [segment(), segment()];
  // A clock may be set back.
  const isOver = ({ startMs }: Window, nowMs: number) =>
    Math.abs(nowMs - startMs) >= windowMs;
  const remove = (key: string): void => {
    begun.delete(key);
    halfSpent.delete(key);
  };
  const find = (key: string, nowMs: number): Window | undefined => {
    const window = begun.get(key) ?? halfSpent.get(key);
    if (!window || !isOver(window, nowMs)) return window;
    remove(key);
    return undefined;
  };
  return {
    find,
    remove,
    count: (key: string, nowMs: number, count: number): void => {
      const window = find(key, nowMs) ?? { startMs: nowMs, count };
      window.count = count;
      const [to, from] =
        count * 2 >= max ? [halfSpent, begun] : [begun, halfSpent];
      if (to.has(key)) return;
      from.delete(key);
      to.set(key, window);
    },
  };
}
