import type { Reader } from "../../db/db.ts";
import { listWilling } from "../visibility/index.ts";
import type { Change } from "./change.ts";
import {
  readPublicChange,
  type PublicChangeDeps,
  type PublicEvent,
} from "./public-change.ts";
import type { Watcher } from "./read-change.ts";

/** A connection that gets public posts. */
export type PublicReader = Watcher & {
  /** Does it read anything public at this moment? */
  readonly isReading: () => boolean;
  readonly wants: (event: PublicEvent) => boolean;
  /**
   * @param event the same object for all readers, so that it is rendered once
   * @param isWarned a filter of the user warns of it, so that it is rendered for the user
   */
  readonly send: (event: PublicEvent, isWarned: boolean) => void;
};

/** Changes that wait; in a flood the oldest are left out. */
const MAX_WAITING = 500;

/**
 * Tells connections of listed public posts. Each change is read once, and the rules of all
 * readers are asked together: the work does not grow with a query for each of them.
 */
export class PublicFeed {
  readonly #deps: PublicChangeDeps & { readonly db: { readonly read: Reader } };
  readonly #readers = new Set<PublicReader>();
  #waiting: Change[] = [];
  #isRunning = false;

  constructor(
    deps: PublicChangeDeps & { readonly db: { readonly read: Reader } },
  ) {
    this.#deps = deps;
  }

  /** @returns a function that ends it */
  open(reader: PublicReader): () => void {
    this.#readers.add(reader);
    return () => void this.#readers.delete(reader);
  }

  publish(changes: readonly Change[]): void {
    if (this.#readers.size === 0) return;
    this.#waiting.push(...changes);
    if (this.#waiting.length > MAX_WAITING)
      this.#waiting = this.#waiting.slice(-MAX_WAITING);
    if (!this.#isRunning) void this.#run();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift())
      // Without the database nothing can be shown; readers of public posts miss this one.
      await this.#deliver(next).catch(() => {});
    this.#isRunning = false;
  }

  async #deliver(change: Change): Promise<void> {
    const reading = [...this.#readers].filter((it) => it.isReading());
    if (reading.length === 0) return;
    const found = await readPublicChange(this.#deps, change);
    if (!found) return;
    const { event, authorId, post } = found;
    const wanting = reading.filter((it) => it.wants(event));
    if (wanting.length === 0) return;
    const { read } = this.#deps.db;
    for (const { reader, isWarned } of await listWilling(
      read,
      authorId,
      post,
      wanting,
    ))
      if (this.#readers.has(reader)) reader.send(event, isWarned);
  }
}
