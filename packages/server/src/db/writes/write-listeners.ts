import type { Writes } from "./collect-writes.ts";

/** Listeners to commits. An error of one becomes a warning of the process. */
export class WriteListeners {
  readonly #listeners: ((writes: Writes) => void)[] = [];

  add(listener: (writes: Writes) => void): void {
    this.#listeners.push(listener);
  }

  notify(writes: Writes): void {
    if (writes?.length === 0) return;
    for (const listener of this.#listeners)
      try {
        listener(writes);
      } catch (error) {
        process.emitWarning(
          error instanceof Error ? error : new Error(String(error)),
        );
      }
  }
}
