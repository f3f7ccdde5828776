/** Between two looks: one for each job would cost more than the job. */
const GATHER_MS = 20;
/** The same where half of the slots are free. */
const HURRY_MS = 2;
/** A look costs more the more there is that may not start: it takes one part in so many of the time. */
const SHARE = 8;
const MOST_MS = 500;
/** The first of the line are enough for most, so many for each that could start. */
const NEAR = 2;
/** The same where many of one lane, or of hosts that have enough, stand first. */
const FAR = 8;
/** To the end of a line that may be of thousands. */
export const WHOLE = Number.MAX_SAFE_INTEGER;
const WHOLE_EVERY_MS = 400;

type Look = {
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  /** Did it find as many as could start? */
  readonly isEnough: boolean;
};

/**
 * Says of one queue when to look at it, and how far. A look that went through all
 * of a long line each time would take longer than the work, and one that never did
 * would not see what stands behind a thousand that wait for each other.
 */
export class PollSchedule {
  #atMs = -Infinity;
  #tookMs = 0;
  #wholeAtMs = -Infinity;
  #reach = NEAR;

  /** Is it time to look again, while jobs run? */
  isDue(nowMs: number, isHalfFree: boolean): boolean {
    const gatherMs = isHalfFree ? HURRY_MS : GATHER_MS;
    const pauseMs = Math.max(gatherMs, this.#tookMs * SHARE);
    return nowMs - this.#atMs >= Math.min(pauseMs, MOST_MS);
  }

  /** How many that are due the next look goes through. @param limit how many it wants */
  depth(limit: number, nowMs: number): number {
    if (this.#reach !== WHOLE) return limit * this.#reach;
    if (nowMs - this.#wholeAtMs < WHOLE_EVERY_MS) return limit * FAR;
    this.#wholeAtMs = nowMs;
    return WHOLE;
  }

  note({ startedAtMs, endedAtMs, isEnough }: Look): void {
    this.#atMs = startedAtMs;
    this.#tookMs = endedAtMs - startedAtMs;
    if (isEnough) this.#reach = NEAR;
    else this.#reach = this.#reach === NEAR ? FAR : WHOLE;
  }
}
