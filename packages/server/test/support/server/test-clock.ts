import type { Clock } from "../../../src/lib/time/clock.ts";

/** A clock that runs with the system's, and that a test can put forward or stop. */
export class TestClock implements Clock {
  #offsetMs = 0;
  #stoppedAt: number | undefined;

  now(): Date {
    return new Date((this.#stoppedAt ?? Date.now()) + this.#offsetMs);
  }

  advance(ms: number): void {
    this.#offsetMs += ms;
  }

  stopAt(date: Date): void {
    this.#offsetMs = 0;
    this.#stoppedAt = date.getTime();
  }

  /** Runs on from its current time. */
  goOn(): void {
    this.#offsetMs = this.now().getTime() - Date.now();
    this.#stoppedAt = undefined;
  }
}

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
