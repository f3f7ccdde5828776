import type { Tx } from "./db.ts";

/**
 * Those who are told after each commit. What is committed stays so, whatever one of them
 * does: its error is shown as a warning of the process, and the others are told.
 */
export class CommitListeners {
  readonly #listeners: ((tx: Tx) => void)[] = [];

  add(listener: (tx: Tx) => void): void {
    this.#listeners.push(listener);
  }

  tell(tx: Tx): void {
    for (const listener of this.#listeners)
      try {
        listener(tx);
      } catch (error) {
        process.emitWarning(
          error instanceof Error ? error : new Error(String(error)),
        );
      }
  }
}
