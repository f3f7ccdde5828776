import { createLruCache } from "../lib/caching/lru-cache.ts";

/** How far in the future a turn may lie: polls look for due jobs up to here. */
export const MAX_TURN_AHEAD_MS = 10_000;
/** The step between two turns of one sender. */
const STEP_MS = 5;
/** A batch this small does not queue behind the earlier jobs of its sender. */
const FEW = 20;
const MAX_SENDERS = 10_000;

/**
 * Schedules jobs that are enqueued together fairly: a sender of many jobs
 * queues behind itself. All are due like the first, but jobs that others
 * enqueue meanwhile run before the later ones. Many jobs of one sender queue
 * behind its last ones; a few do not, so that the author of a post to everyone
 * can still send a message. A virtual clock for each sender (L. Zhang, 1990),
 * kept in memory only: a restart resets it.
 */
export class FairOrder {
  readonly #lastMs = createLruCache<number, number>({ max: MAX_SENDERS });

  /** @returns milliseconds since 1970 for each of `count` jobs, ascending */
  take(sender: number, count: number, nowMs: number): number[] {
    const isFew = count <= FEW;
    const last = isFew ? nowMs : (this.#lastMs.get(sender) ?? nowMs);
    const firstMs = Math.max(nowMs, last);
    const turns = Array.from({ length: count }, (_, place) =>
      Math.min(firstMs + place * STEP_MS, nowMs + MAX_TURN_AHEAD_MS),
    );
    if (!isFew) this.#lastMs.set(sender, turns.at(-1) ?? nowMs);
    return turns;
  }
}
