import type { Tx } from "./db.ts";

/**
 * Listeners that run after each commit. The commit stands, whatever a listener
 * does: its error becomes a warning of the process, and the others still run.
 */
export class CommitListeners {
  readonly #listeners: ((tx: Tx) => void)[] = [];

  add(listener: (tx: Tx) => void): void {
    this.#listeners.push(listener);
  }

  notify(tx: Tx): void {
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
