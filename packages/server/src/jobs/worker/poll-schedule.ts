/** Between two looks: one for each job would cost more than the job. */
const GATHER_MS = 20;
/** The same where half of the slots are free. */
const HALF_FREE_GATHER_MS = 2;
/** A look costs more the more there is that may not start: it takes one part in so many of the time. */
const PAUSE_PER_SCAN_TIME = 8;
const MAX_PAUSE_MS = 500;
/** The first of the line are enough for most, so many for each that could start. */
const SHALLOW_SCAN = 2;
/** The same where many of one lane, or of hosts that have enough, stand first. */
const DEEP_SCAN = 8;
/** To the end of a line that may be of thousands. */
export const FULL_SCAN = Number.MAX_SAFE_INTEGER;
const FULL_SCAN_EVERY_MS = 400;

type Scan = {
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
  #fullScanAtMs = -Infinity;
  #depthPerJob = SHALLOW_SCAN;

  /** Is it time to look again, while jobs run? */
  isDue(nowMs: number, isHalfFree: boolean): boolean {
    const gatherMs = isHalfFree ? HALF_FREE_GATHER_MS : GATHER_MS;
    const pauseMs = Math.max(gatherMs, this.#tookMs * PAUSE_PER_SCAN_TIME);
    return nowMs - this.#atMs >= Math.min(pauseMs, MAX_PAUSE_MS);
  }

  /** How many that are due the next look goes through. @param limit how many it wants */
  depth(limit: number, nowMs: number): number {
    if (this.#depthPerJob !== FULL_SCAN) return limit * this.#depthPerJob;
    if (nowMs - this.#fullScanAtMs < FULL_SCAN_EVERY_MS)
      return limit * DEEP_SCAN;
    this.#fullScanAtMs = nowMs;
    return FULL_SCAN;
  }

  record({ startedAtMs, endedAtMs, isEnough }: Scan): void {
    this.#atMs = startedAtMs;
    this.#tookMs = endedAtMs - startedAtMs;
    if (isEnough) this.#depthPerJob = SHALLOW_SCAN;
    else
      this.#depthPerJob =
        this.#depthPerJob === SHALLOW_SCAN ? DEEP_SCAN : FULL_SCAN;
  }
}
