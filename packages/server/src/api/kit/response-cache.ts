import { createLruCache } from "../../lib/caching/lru-cache.ts";
/** Of all of them together. */
const MAX_BYTES = 8 * 1024 * 1024;

/** What names the state of what is stored: while it stays the same, so does every answer. */
export type Marked = { mark(): Promise<string> };

/** Answers that are given again as they are, for as long as nothing at all is written. */
export type ResponseCache = {
  /**
   * @param key everything that the answer depends on beside what is stored
   * @param make reads outside of transactions and writes nothing; where time has changed
   *   what it answers, it calls `dontKeep`
   */
  readonly get: (
    key: string,
    make: (dontKeep: () => void) => Promise<string>,
  ) => Promise<Buffer>;
};

/**
 * Most who look at a stream find it as it was a moment ago. Whether that is so the
 * database says: what is kept was read between two equal marks, so no commit came
 * in between, and it is given while the mark is still the same. Any commit of any
 * process, whatever it is about, ends all that is kept: nothing has to know which
 * change is seen where, and nobody is ever shown what was taken back or taken away.
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
