/** More work was asked for than its budget allows. */
export class WorkBudgetError extends Error {
  constructor() {
    super("The work takes too long.");
    this.name = "WorkBudgetError";
  }
}

/**
 * Limits the processor time of some kind of work within one request, however many inputs share
 * it. It counts the time of this thread, which does not pass while others use the machine.
 */
export class WorkBudget {
  #leftMs: number;
  readonly #readMs: () => number;

  constructor(maxMs: number, readMs: () => number = threadMs) {
    this.#leftMs = maxMs;
    this.#readMs = readMs;
  }

  /**
   * Does some short work, which itself is not interrupted.
   * @throws {WorkBudgetError} if nothing is left before it begins
   */
  spend<T>(work: () => T): T {
    if (this.#leftMs <= 0) throw new WorkBudgetError();
    const beforeMs = this.#readMs();
    try {
      return work();
    } finally {
      this.#leftMs -= this.#readMs() - beforeMs;
    }
  }
}

function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
