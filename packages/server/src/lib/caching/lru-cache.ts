import { LRUCache } from "lru-cache";

/** A bounded map: when it is full, it evicts the least recently used entry. */
export type LruCache<K, V> = {
  get(key: K): V | undefined;
  /** Does not count as a use. */
  has(key: K): boolean;
  /** @param keepMs if it differs from that of the cache */
  set(key: K, value: V, keepMs?: number): void;
  delete(key: K): boolean;
  clear(): void;
  entries(): Iterable<[K, V]>;
};

/** How long an entry lives, and by which clock. */
type Lifetime = {
  readonly keepMs: number;
  readonly clock: { now(): Date | number };
};

/** The total weight of all entries. */
type Bounds<V> = {
  readonly max: number;
  /** The weight of an entry; 1 by default. */
  readonly sizeOf?: (value: V) => number;
};

/**
 * The bound is one of weight, because `lru-cache` allocates the memory for a bound of count at
 * once: some 800 kB for 20,000 entries that may never exist.
 */
export function createLruCache<
  K extends NonNullable<unknown>,
  V extends NonNullable<unknown>,
>(
  options: Bounds<V> & (Lifetime | { readonly keepMs?: undefined }),
): LruCache<K, V> {
  const { max, sizeOf = () => 1 } = options;
  const cache = new LRUCache<K, V>({
    maxSize: max,
    sizeCalculation: sizeOf,
    ...(options.keepMs !== undefined && lifetime(options)),
  });
  return {
    get: (key) => cache.get(key),
    has: (key) => cache.has(key),
    set: (key, value, keepMs) => {
      cache.set(key, value, keepMs === undefined ? {} : { ttl: ttl(keepMs) });
    },
    delete: (key) => cache.delete(key),
    clear: () => cache.clear(),
    entries: () => cache.entries(),
  };
}

/** Without a resolution of its own, `lru-cache` starts no timers. */
function lifetime({ keepMs, clock }: Lifetime) {
  return { ttl: ttl(keepMs), ttlResolution: 0, perf: neverBackwards(clock) };
}

/** `lru-cache` keeps an entry to the end of its last millisecond. */
function ttl(keepMs: number): number {
  return Math.max(1, keepMs - 1);
}

/**
 * Milliseconds that pass by a clock. When the clock is set back they continue from their last
 * value: otherwise entries would live longer by that much.
 */
function neverBackwards(clock: Lifetime["clock"]) {
  let lastMs = Number(clock.now());
  // `lru-cache` takes 0 for no time at all.
  let passedMs = 1;
  return {
    now: () => {
      const nowMs = Number(clock.now());
      passedMs += Math.max(0, nowMs - lastMs);
      lastMs = nowMs;
      return passedMs;
    },
  };
}
