import { createLruCache } from "../../lib/caching/lru-cache.ts";

/** How far in the future a turn may lie: what is due is looked for up to here. */
export const MAX_TURN_AHEAD_MS = 10_000;
/** So much later is each next one of many. */
const STEP_MS = 5;
/** What puts in so few at once does not stand behind what its sender put in before. */
const FEW = 20;
const MAX_SENDERS = 10_000;

/**
 * Gives jobs that are put in together their turns, so that those who send much
 * stand in line with themselves: each next one is due like the first, but what
 * others put in meanwhile goes before it. Many of one sender queue up behind its
 * last ones; a few go at once, so that whoever writes to all can still talk to one.
 * A virtual clock for each sender (L. Zhang, 1990), kept in memory alone: after a
 * restart everybody starts anew.
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
