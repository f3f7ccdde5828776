import { createLruCache, type LruCache } from "../../lib/caching/lru-cache.ts";
import type { Touched } from "./touched.ts";
import type { WriteWatch } from "./write-watch.ts";

type Key = number | string;

/** Values by the names of what they are about. */
export type KeptValues<K extends Key, V> = {
  /**
   * @param group tells apart values that differ between viewers
   * @param load reads the values that are not kept; what it leaves out is not kept either
   */
  readonly read: (
    group: string,
    keys: readonly K[],
    load: (missing: readonly K[]) => Promise<ReadonlyMap<K, V>>,
  ) => Promise<Map<K, V>>;
};

/** The values about one thing, by group. */
type Groups<V> = Map<string, V>;

/** Of a thing that many viewers see, each in its own way, the last ones are kept. */
const MAX_GROUPS = 16;

/** The writes while values were loaded. */
type Loading = { isSpoiled: boolean; readonly touched: Set<Key> };

/**
 * Keeps values until a write touches what they are about; a write without names ends all. A
 * value that was touched while it was loaded is not kept.
 * @param keysOf the touched things among those that values are about
 */
export function keepValues<K extends Key, V extends NonNullable<unknown>>(
  watch: WriteWatch,
  keysOf: (touched: Touched) => Iterable<K>,
  max: number,
): KeptValues<K, V> {
  const { keepMs } = watch;
  const kept = createLruCache<K, Groups<V>>(
    keepMs === undefined ? { max } : { max, keepMs, clock: performance },
  );
  const running = new Set<Loading>();
  watch.listen((touched) => {
    for (const loading of running)
      if (!touched) loading.isSpoiled = true;
      else for (const key of keysOf(touched)) loading.touched.add(key);
    if (!touched) return kept.clear();
    for (const key of keysOf(touched)) kept.delete(key);
  });
  return {
    read: async (group, keys, load) => {
      watch.look();
      const values = new Map<K, V>();
      const missing: K[] = [];
      for (const key of keys) {
        const known = kept.get(key)?.get(group);
        if (known === undefined) missing.push(key);
        else values.set(key, known);
      }
      if (missing.length === 0) return values;
      const loading: Loading = { isSpoiled: false, touched: new Set() };
      running.add(loading);
      try {
        const loaded = await load(missing);
        watch.look();
        for (const [key, value] of loaded) {
          values.set(key, value);
          if (!loading.isSpoiled && !loading.touched.has(key))
            addTo(kept, key, group, value);
        }
        return values;
      } finally {
        running.delete(loading);
      }
    },
  };
}

/** The first value about a thing decides how long all of them are kept. */
function addTo<K extends Key, V>(
  kept: LruCache<K, Groups<V>>,
  key: K,
  group: string,
  value: V,
): void {
  const groups = kept.get(key);
  if (!groups) return kept.set(key, new Map([[group, value]]));
  const [oldest] = groups.keys();
  if (groups.size >= MAX_GROUPS && oldest !== undefined) groups.delete(oldest);
  groups.set(group, value);
}
