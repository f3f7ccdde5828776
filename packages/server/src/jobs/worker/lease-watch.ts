import type { ObservedLease } from "../stores/lease-rows.ts";

type Watched = {
  readonly mark: string;
  unchangedMs: number;
};

/**
 * The longest step between two observations that counts: in a longer gap no
 * process could renew, or this process was suspended.
 */
const MAX_STEP_MS = 30_000;

/**
 * Detects expired leases: those that were not renewed while this process
 * observed them for so long, by its own monotonic clock. Wrong or corrected
 * wall clocks do not matter.
 */
export class LeaseWatch {
  readonly #expireAfterMs: number;
  #watched = new Map<number, Watched>();
  #lookedAtMs: number | undefined;

  constructor(expireAfterMs: number) {
    this.#expireAfterMs = expireAfterMs;
  }

  /**
   * @param leases all leases of other workers @returns those that have expired
   */
  observe<Lease extends ObservedLease>(
    leases: readonly Lease[],
    nowMs: number,
  ): Lease[] {
    const sinceMs = nowMs - (this.#lookedAtMs ?? nowMs);
    const stepMs = Math.min(Math.max(0, sinceMs), MAX_STEP_MS);
    this.#lookedAtMs = nowMs;
    const watched = new Map<number, Watched>();
    const expired = leases.filter((lease) => {
      const mark = `${lease.lease} ${lease.until}`;
      const known = this.#watched.get(lease.id);
      const unchangedMs = known?.mark === mark ? known.unchangedMs + stepMs : 0;
      watched.set(lease.id, { mark, unchangedMs });
      return unchangedMs >= this.#expireAfterMs;
    });
    this.#watched = watched;
    return expired;
  }
}
