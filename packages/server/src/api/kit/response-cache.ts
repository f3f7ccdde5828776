import type { Touched, WriteWatch } from "../../features/freshness/index.ts";
import { createLruCache } from "../../lib/caching/lru-cache.ts";
import { withCurrentReads } from "../../lib/caching/old-reads.ts";
import { CollectedScope, type AnswerScope } from "./answer-scope.ts";

/** Of all cached responses together. */
const MAX_BYTES = 16 * 1024 * 1024;
/** The bytes that an entry takes beside its body, with the names of a page of posts. */
const BESIDE_BODY = 4_096;
/** A response during which more was written is not kept. */
const MAX_MEANWHILE = 50;

type Kept = {
  readonly body: Buffer;
  readonly scope: CollectedScope;
};

/** A response that is being made. */
type Making = {
  readonly body: Promise<Buffer>;
  /** The writes since it began. */
  readonly meanwhile: (Touched | undefined)[];
};

/** Caches responses until a write touches what they show. */
export type ResponseCache = {
  /**
   * @param key everything that the response depends on except the stored data
   * @param make reads outside of transactions, writes nothing that a response shows, and
   *   names what it shows in the scope
   */
  readonly get: (
    { key, userId }: { readonly key: string; readonly userId: number },
    make: (scope: AnswerScope) => Promise<string>,
  ) => Promise<Buffer>;
};

/**
 * A kept response is dropped when a commit touches what it shows, before the caller of that
 * commit goes on. What is touched is read off the statements themselves (`db/writes/`): a
 * write that names no rows drops everything, so that nobody has to remember which change is
 * visible where, and a retracted or hidden record is never served. A response whose subject
 * was touched while it was made is not kept.
 */
export function createResponseCache(watch: WriteWatch): ResponseCache {
  const { keepMs } = watch;
  const bounds = {
    max: MAX_BYTES,
    sizeOf: ({ body }: Kept) => body.length + BESIDE_BODY,
  };
  const kept = createLruCache<string, Kept>(
    keepMs === undefined ? bounds : { ...bounds, keepMs, clock: performance },
  );
  const running = new Map<string, Making>();

  watch.listen((touched) => {
    for (const { meanwhile } of running.values()) meanwhile.push(touched);
    if (touched === undefined) return kept.clear();
    for (const [key, { scope }] of [...kept.entries()])
      if (scope.isConcernedBy(touched)) kept.delete(key);
  });

  async function makeAnew(
    { key, userId }: { readonly key: string; readonly userId: number },
    meanwhile: Making["meanwhile"],
    make: (scope: AnswerScope) => Promise<string>,
  ): Promise<Buffer> {
    const scope = new CollectedScope(userId);
    const body = Buffer.from(await withCurrentReads(() => make(scope)));
    watch.look();
    const isCurrent =
      meanwhile.length <= MAX_MEANWHILE &&
      !meanwhile.some((touched) => scope.isConcernedBy(touched));
    if (scope.isKept && isCurrent) kept.set(key, { body, scope });
    return body;
  }

  return {
    get: async (of, make) => {
      watch.look();
      const known = kept.get(of.key);
      if (known) return known.body;
      const same = running.get(of.key);
      // Earlier writes must be in the answer of this call.
      if (same?.meanwhile.length === 0) return same.body;
      const meanwhile: Making["meanwhile"] = [];
      const body = makeAnew(of, meanwhile, make);
      const making = { body, meanwhile };
      running.set(of.key, making);
      try {
        return await body;
      } finally {
        if (running.get(of.key) === making) running.delete(of.key);
      }
    },
  };
}
