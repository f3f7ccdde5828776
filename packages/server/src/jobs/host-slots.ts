import type { LeasedJob } from "./job.ts";

const MAX_PER_HOST = 8;

/** Counts the running jobs of each host, so that a slow one does not take every slot. */
export class HostSlots {
  readonly #running = new Map<string, number>();

  /** The hosts that have enough jobs running. */
  full(): string[] {
    return [...this.#running]
      .filter(([, count]) => count >= MAX_PER_HOST)
      .map(([host]) => host);
  }

  take({ host }: LeasedJob): void {
    if (host !== null) this.#change(host, 1);
  }

  giveBack({ host }: LeasedJob): void {
    if (host !== null) this.#change(host, -1);
  }

  #change(host: string, by: number): void {
    const count = (this.#running.get(host) ?? 0) + by;
    if (count > 0) this.#running.set(host, count);
    else this.#running.delete(host);
  }
}
