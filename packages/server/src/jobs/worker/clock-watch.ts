import type { Clock } from "../../lib/time/clock.ts";

/** Smaller corrections do not matter to jobs that recur. */
const TOLERATED_MS = 60_000;

/** Notices that the wall clock was set back, by a monotonic one. */
export class ClockWatch {
  readonly #clock: Clock;
  readonly #elapsedMs: () => number;
  #differenceMs: number;

  constructor(clock: Clock, elapsedMs: () => number) {
    this.#clock = clock;
    this.#elapsedMs = elapsedMs;
    this.#differenceMs = this.#difference();
  }

  /** Was it set back since the last call? */
  wasSetBack(): boolean {
    const nowMs = this.#difference();
    const isBack = nowMs < this.#differenceMs - TOLERATED_MS;
    // Small corrections add up to a step; a machine that slept has gone forward.
    if (isBack || nowMs > this.#differenceMs) this.#differenceMs = nowMs;
    return isBack;
  }

  #difference(): number {
    return this.#clock.now().getTime() - this.#elapsedMs();
  }
}
