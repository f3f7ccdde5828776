import { createLruCache } from "../../lib/caching/lru-cache.ts";
/** Of all cached responses together. */
const MAX_BYTES = 8 * 1024 * 1024;

/**
 * A version of the stored data: while it stays the same, so does every
 * response.
 */
export type Marked = { mark(): Promise<string> };

/** Caches responses until the next write of any kind. */
export type ResponseCache = {
  /**
   * @param key everything that the response depends on except the stored data
   * @param make reads outside of transactions and writes nothing; it calls
   *   `dontKeep` if its response also depends on the time
   */
  readonly get: (
    key: string,
    make: (dontKeep: () => void) => Promise<string>,
  ) => Promise<Buffer>;
};

/**
 * Most requests for a stream find it unchanged. The database knows that: a
 * cached response was read between two equal marks, so no commit came in
 * between, and it is served while the mark is still the same. Any commit of any
 * process invalidates the whole cache: no code has to know which change is
 * visible where, and a retracted or hidden record is never served.
 */
export function createResponseCache(db: Marked): ResponseCache {
  let markOfAll = "";
  const kept = createLruCache<string, Buffer>({
    max: MAX_BYTES,
    sizeOf: ({ length }) => length,
  });

  return {
    get: async (key, make) => {
      const mark = await db.mark();
      if (mark !== markOfAll) {
        kept.clear();
        markOfAll = mark;
      }
      const known = kept.get(key);
      if (known) return known;
      let isKept = true;
      const dontKeep = (): void => {
        isKept = false;
      };
      const answer = Buffer.from(await make(dontKeep));
      const after = isKept ? await db.mark() : undefined;
      if (after === mark && mark === markOfAll) kept.set(key, answer);
      return answer;
    },
  };
}
