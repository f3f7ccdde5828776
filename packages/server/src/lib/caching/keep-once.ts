import { withCurrentReads } from "./old-reads.ts";

/**
 * Creates a value at the first use, once for all callers, and caches it. A failure is not cached:
 * the next call tries again.
 */
export function keepOnce<T>(make: () => Promise<T>): () => Promise<T> {
  let kept: Promise<T> | undefined;
  return () => {
    if (kept) return kept;
    const making = withCurrentReads(make);
    kept = making;
    making.catch(() => {
      kept = undefined;
    });
    return making;
  };
}
