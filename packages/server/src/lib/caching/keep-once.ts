/**
 * Makes something at the first use, for all who ask, and keeps it. What failed is
 * not kept: the next one who asks has it tried again.
 */
export function keepOnce<T>(make: () => Promise<T>): () => Promise<T> {
  let kept: Promise<T> | undefined;
  return () => {
    if (kept) return kept;
    const making = make();
    kept = making;
    making.catch(() => {
      kept = undefined;
    });
    return making;
  };
}
