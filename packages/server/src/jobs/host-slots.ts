import type { LeasedJob } from "./job.ts";

const MAX_PER_HOST = 8;

/**
 * Counts the running jobs of each host, so that a slow one does not take every
 * slot. What was leased beyond a host's share is held until one of its jobs ends.
 */
export class HostSlots {
  readonly #running = new Map<string, number>();
  readonly #held = new Map<string, LeasedJob[]>();

  /** The hosts that have enough jobs running. */
  full(): string[] {
    return [...this.#running]
      .filter(([, count]) => count >= MAX_PER_HOST)
      .map(([host]) => host);
  }

  /** @returns false where the host has its share: the job is held, and `giveBack` returns it later */
  take(job: LeasedJob): boolean {
    const { host } = job;
    if (host === null) return true;
    if ((this.#running.get(host) ?? 0) >= MAX_PER_HOST) {
      this.#held.set(host, [...(this.#held.get(host) ?? []), job]);
      return false;
    }
    this.#change(host, 1);
    return true;
  }

  /** @returns a job that was held for the same host, to be taken now */
  giveBack({ host }: LeasedJob): LeasedJob | undefined {
    if (host === null) return undefined;
    this.#change(host, -1);
    const [next, ...others] = this.#held.get(host) ?? [];
    if (others.length > 0) this.#held.set(host, others);
    else this.#held.delete(host);
    return next;
  }

  #change(host: string, by: number): void {
    const count = (this.#running.get(host) ?? 0) + by;
    if (count > 0) this.#running.set(host, count);
    else this.#running.delete(host);
  }
}
