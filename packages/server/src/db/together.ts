type Results<T extends readonly unknown[]> = {
  -readonly [Index in keyof T]: Awaited<T[Index]>;
};

/**
 * Awaits parts of a transaction that need not await each other: on PostgreSQL their queries are sent and
 * answered together. It fails with the error of the first one in this order, and only when all have
 * ended, so that none goes on after the end of the transaction.
 */
export async function together<const T extends readonly unknown[]>(
  work: T,
): Promise<Results<T>> {
  for (const one of await Promise.allSettled(work))
    if (one.status === "rejected") throw one.reason;
  return Promise.all(work);
}
