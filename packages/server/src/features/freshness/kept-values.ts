import { createLruCache, type LruCache } from "../../lib/caching/lru-cache.ts";
import { withCurrentReads } from "../../lib/caching/old-reads.ts";
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

/** Values that are being loaded, and the writes since that began. */
type Loading<K, V> = {
  readonly group: string;
  readonly keys: ReadonlySet<K>;
  readonly loaded: Promise<ReadonlyMap<K, V>>;
  isSpoiled: boolean;
  readonly touched: Set<K>;
};

/**
 * Keeps values until a write touches what they are about; a write without names ends all. A
 * value that was touched while it was loaded is not kept. Calls at the same time load a value
 * once, unless it was touched since that began.
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
  const running = new Set<Loading<K, V>>();
  watch.listen((touched) => {
    for (const loading of running)
      if (!touched) loading.isSpoiled = true;
      else for (const key of keysOf(touched)) loading.touched.add(key);
    if (!touched) return kept.clear();
    for (const key of keysOf(touched)) kept.delete(key);
  });
  const isFresh = ({ isSpoiled, touched }: Loading<K, V>, key: K): boolean =>
    !isSpoiled && !touched.has(key);

  async function loadAnew(
    group: string,
    keys: readonly K[],
    load: (missing: readonly K[]) => Promise<ReadonlyMap<K, V>>,
  ): Promise<ReadonlyMap<K, V>> {
    const loading: Loading<K, V> = {
      ...{ group, keys: new Set(keys) },
      loaded: withCurrentReads(() => load(keys)),
      ...{ isSpoiled: false, touched: new Set() },
    };
    running.add(loading);
    try {
      const loaded = await loading.loaded;
      watch.look();
      for (const [key, value] of loaded)
        if (isFresh(loading, key)) addTo(kept, key, group, value);
      return loaded;
    } finally {
      running.delete(loading);
    }
  }

  return {
    read: async (group, keys, load) => {
      watch.look();
      const values = new Map<K, V>();
      const missing: K[] = [];
      const shared: Loading<K, V>[] = [];
      for (const key of keys) {
        const known = kept.get(key)?.get(group);
        if (known !== undefined) {
          values.set(key, known);
          continue;
        }
        const same = [...running].find(
          (it) => it.group === group && it.keys.has(key) && isFresh(it, key),
        );
        if (same) shared.push(same);
        else missing.push(key);
      }
      if (missing.length + shared.length === 0) return values;
      const wanted = new Set(keys);
      const all = await Promise.all([
        ...[...new Set(shared)].map(({ loaded }) => loaded),
        ...(missing.length === 0 ? [] : [loadAnew(group, missing, load)]),
      ]);
      for (const loaded of all)
        for (const [key, value] of loaded)
          if (wanted.has(key) && !values.has(key)) values.set(key, value);
      return values;
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
