/** Between two polls: one for each job would cost more than the job. */
const GATHER_MS = 20;
/** The same while half of the slots are free. */
const HALF_FREE_GATHER_MS = 2;
/**
 * A scan costs more the more due jobs may not start: the pause is so many times
 * as long as the scan.
 */
const PAUSE_PER_SCAN_TIME = 8;
const MAX_PAUSE_MS = 500;
/**
 * Scanned jobs per job that could start. The head of the queue is enough for
 * most polls.
 */
const SHALLOW_SCAN = 2;
/** The same where many jobs of one lane, or of busy hosts, are at the head. */
const DEEP_SCAN = 8;
/** To the end of the queue, which may hold thousands. */
export const FULL_SCAN = Number.MAX_SAFE_INTEGER;
const FULL_SCAN_EVERY_MS = 400;

type Scan = {
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  /** Did the scan find as many jobs as could start? */
  readonly isEnough: boolean;
};

/**
 * Decides when to poll a queue, and how deep to scan. Scanning a long queue to
 * its end each time would take longer than the work; never doing so would miss
 * jobs behind a thousand that wait for each other.
 */
export class PollSchedule {
  #atMs = -Infinity;
  #tookMs = 0;
  #fullScanAtMs = -Infinity;
  #depthPerJob = SHALLOW_SCAN;

  /** Was no poll begun for so long? */
  isOverdue(nowMs: number, afterMs: number): boolean {
    return nowMs - this.#atMs >= afterMs;
  }

  /** Is it time for another poll while jobs run? */
  isDue(nowMs: number, isHalfFree: boolean): boolean {
    const gatherMs = isHalfFree ? HALF_FREE_GATHER_MS : GATHER_MS;
    const pauseMs = Math.max(gatherMs, this.#tookMs * PAUSE_PER_SCAN_TIME);
    return nowMs - this.#atMs >= Math.min(pauseMs, MAX_PAUSE_MS);
  }

  /**
   * The number of due jobs that the next poll scans. @param limit how many it
   * wants
   */
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
