/** A lease as it stands in the database. */
export type ObservedLease = {
  readonly id: number;
  readonly lease: number;
  /** It is another one after each renewal. Compared with itself alone, never with a clock. */
  readonly until: string | null;
};

type Watched = {
  readonly mark: string;
  unchangedMs: number;
};

/** Of the time between two looks no more counts: in a longer gap nobody could renew, or this process slept. */
const MAX_STEP_MS = 30_000;

/**
 * Says which leases of others have run out: those that nobody renewed while this
 * process looked on for so long, by its own monotonic clock. What time it is, here or
 * there, and how it is corrected, does not matter.
 */
export class LeaseWatch {
  readonly #expireAfterMs: number;
  #watched = new Map<number, Watched>();
  #lookedAtMs: number | undefined;

  constructor(expireAfterMs: number) {
    this.#expireAfterMs = expireAfterMs;
  }

  /** @param leases all that others hold now @returns those of them that have run out */
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
