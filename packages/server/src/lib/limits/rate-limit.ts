import type { Clock } from "../time/clock.ts";

/** How often something may happen, and in what time. */
export type Share = { readonly max: number; readonly windowMs: number };

/** Counts what strangers cause, so that none of them causes too much. */
export type RateLimit = {
  /** Counts one. @returns false where `key` has had its share of this window */
  take(key: string): boolean;
  /** Has it had its share? Counts nothing. */
  isSpent(key: string): boolean;
  /** Uncounts one that was let through. */
  giveBack(key: string): void;
  /** Uncounts all. */
  forget(key: string): void;
  /** Whole seconds until the window ends, 1 at least. */
  secondsLeft(key: string): number;
};

/** Some 4 MB, where they are all in use. */
const MAX_KEYS = 20_000;

/**
 * Lets each key through `max` times in a window, which begins with the first
 * time. In memory: a restart forgives.
 * @param maxKeys how many are remembered; above that, those are forgotten that
 *   have done least
 */
export function createRateLimit({
  clock,
  max,
  windowMs,
  maxKeys = MAX_KEYS,
}: Share & {
  readonly clock: Clock;
  readonly maxKeys?: number;
}): RateLimit {
  const windows = createWindows(windowMs, maxKeys);
  const now = () => clock.now().getTime();
  return {
    take: (key) => {
      const nowMs = now();
      const count = windows.find(key, nowMs)?.count ?? 0;
      if (count >= max) return false;
      windows.count(key, nowMs, count + 1);
      return true;
    },
    isSpent: (key) => (windows.find(key, now())?.count ?? 0) >= max,
    giveBack: (key) => {
      const nowMs = now();
      const count = windows.find(key, nowMs)?.count ?? 0;
      if (count > 0) windows.count(key, nowMs, count - 1);
    },
    forget: (key) => windows.remove(key),
    secondsLeft: (key) => {
      const nowMs = now();
      const startMs = windows.find(key, nowMs)?.startMs ?? nowMs;
      return Math.max(1, Math.ceil((startMs + windowMs - nowMs) / 1000));
    },
  };
}

type Window = { readonly startMs: number; count: number; rank: number };

/**
 * The windows of all keys, within bounds. Whoever makes up keys must not end the
 * windows of others, so they are kept by rank, which is how often the count has
 * doubled: room is made at the lowest rank. To push out somebody who has been
 * counted often, one must have been counted as often under thousands of keys, to
 * whom the limit means nothing anyway.
 */
function createWindows(windowMs: number, maxKeys: number) {
  const windows = new Map<string, Window>();
  const ranks: Set<string>[] = [];
  // A clock may be set back.
  const isOver = ({ startMs }: Window, nowMs: number) =>
    Math.abs(nowMs - startMs) >= windowMs;
  const remove = (key: string): void => {
    const window = windows.get(key);
    if (!window) return;
    ranks[window.rank]?.delete(key);
    windows.delete(key);
  };
  const find = (key: string, nowMs: number): Window | undefined => {
    const window = windows.get(key);
    return window && !isOver(window, nowMs) ? window : undefined;
  };
  /** The oldest of each rank are its first: what is over goes with the next one who comes. */
  const makeRoom = (nowMs: number): void => {
    for (const rank of ranks)
      for (const key of rank) {
        if (find(key, nowMs)) break;
        remove(key);
      }
    if (windows.size < maxKeys) return;
    const [least] = ranks.find(({ size }) => size > 0) ?? [];
    if (least !== undefined) remove(least);
  };
  return {
    find,
    remove,
    count: (key: string, nowMs: number, count: number): void => {
      const rank = 32 - Math.clz32(count);
      while (ranks.length <= rank) ranks.push(new Set());
      const window = find(key, nowMs);
      if (window?.rank === rank) {
        window.count = count;
        return;
      }
      remove(key);
      if (!window) makeRoom(nowMs);
      windows.set(key, { startMs: window?.startMs ?? nowMs, count, rank });
      ranks[rank]?.add(key);
    },
  };
}
