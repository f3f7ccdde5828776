import { LRUCache } from "lru-cache";

/** A map within bounds: where it is full, it forgets what was used least recently. */
export type LruCache<K, V> = {
  get(key: K): V | undefined;
  /** Asking for this is no use of it. */
  has(key: K): boolean;
  /** @param keepMs where it differs from that of the cache */
  set(key: K, value: V, keepMs?: number): void;
  delete(key: K): boolean;
  clear(): void;
  entries(): Iterable<[K, V]>;
};

/** How long an entry lives, by which clock. */
type Lifetime = {
  readonly keepMs: number;
  readonly clock: { now(): Date | number };
};

/** What all entries may weigh together. */
type Bounds<V> = {
  readonly max: number;
  /** How much of `max` an entry takes; 1 where nothing is given. */
  readonly sizeOf?: (value: V) => number;
};

/**
 * The bound is one of weight, because `lru-cache` reserves the memory for a bound of
 * count at once: some 800 kB for 20,000 entries that may never come.
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
 * Milliseconds that pass by a clock. Where it is set back they go on from where they
 * were: otherwise entries would live as much longer.
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
