import { AsyncLocalStorage } from "node:async_hooks";

/** Reads that belong together, such as those for one answer. */
type Reads = { mayBeOld: boolean };

const storage = new AsyncLocalStorage<Reads>();
const CURRENT: Reads = { mayBeOld: false };

/**
 * Runs `work`, whose reads of the database may be some seconds old, until it ends. Work that it
 * leaves running, such as a timer, reads current data from then on.
 */
export async function withOldReads<T>(work: () => Promise<T>): Promise<T> {
  const reads: Reads = { mayBeOld: true };
  try {
    return await storage.run(reads, work);
  } finally {
    reads.mayBeOld = false;
  }
}

/**
 * Runs `work` with current reads. Caches load with them: a value that a write ended must not be
 * read anew from where that write is missing, and then be kept.
 */
export function withCurrentReads<T>(work: () => T): T {
  return mayReadOld() ? storage.run(CURRENT, work) : work();
}

/** May the running code read data that are some seconds old? */
export function mayReadOld(): boolean {
  return storage.getStore()?.mayBeOld === true;
}

/** The running work reads current data from now on, such as what it has just written. */
export function endOldReads(): void {
  const reads = storage.getStore();
  if (reads?.mayBeOld) reads.mayBeOld = false;
}
