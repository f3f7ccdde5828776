import type { DueJob, WantedHosts } from "../stores/lease-store.ts";
import type { LeasedJob } from "../job.ts";
import { createLruCache } from "../../lib/caching/lru-cache.ts";

/** How many jobs of a pool run at once. */
export type ConcurrencyLimits = {
  /** Jobs that began a short while ago. */
  readonly fresh: number;
  /** Of these: for hosts that are slow, or of which nothing is known yet. */
  readonly doubtful: number;
  /** In all. */
  readonly running: number;
  /** After this time a job only waits for its host, and its slot goes to another one; undefined where jobs cost work all the time. */
  readonly ripeAfterMs?: number;
};

/** For jobs that are all alike. */
export function plainLimits(count: number): ConcurrencyLimits {
  return { fresh: count, doubtful: count, running: count };
}

/** For requests to other servers: a second is long for a host that is well. */
export function deliveryLimits(fresh: number): ConcurrencyLimits {
  return {
    fresh,
    doubtful: Math.ceil(fresh / 2),
    running: fresh * 4,
    ripeAfterMs: 1_000,
  };
}

/** How many jobs of a host run, and how many of them are young. */
type Load = { running: number; fresh: number };

const NO_LOAD: Load = { running: 0, fresh: 0 };

/** A run that has a slot. The slot is the run's, not the job's: it comes back once, with the run. */
export type Run = {
  readonly host: string | null;
  readonly startedAtMs: number;
  isDoubtful: boolean;
  isRipe: boolean;
};

export const MAX_PER_HOST = 8;
/** Of a host that is slow or not known so many begin at once, and as many more once these only wait. */
const MAX_FRESH_OF_DOUBTFUL = 2;
const MAX_KNOWN = 20_000;

/**
 * Says which jobs may start. A request that waits for an answer costs nothing but
 * memory: so only young ones take slots, and hosts that kept one waiting, or that
 * are not known, have a small share of these to themselves. Whoever answers
 * quickly does not wait for those who do not.
 */
export class ConcurrencyLimiter {
  readonly #limits: ConcurrencyLimits;
  /** In the order in which they began. */
  readonly #running = new Set<Run>();
  readonly #perHost = new Map<string, Load>();
  /** Hosts whose last job was a short one. */
  readonly #quick = createLruCache<string, true>({ max: MAX_KNOWN });
  #fresh = 0;
  #doubtful = 0;

  constructor(limits: ConcurrencyLimits) {
    this.#limits = limits;
  }

  /** How many jobs may start at most. */
  free(): number {
    const { fresh, running } = this.#limits;
    return Math.min(fresh - this.#fresh, running - this.#running.size);
  }

  isHalfFree(): boolean {
    return this.free() >= this.#limits.fresh / 2;
  }

  /** Of which hosts a job may start now; undefined where none may. */
  wanted(): WantedHosts | undefined {
    if (this.free() <= 0) return undefined;
    const full = [...this.#perHost]
      .filter(([host, load]) => this.#isFull(host, load, 0))
      .map(([host]) => host);
    if (this.#doubtful < this.#limits.doubtful) return { allBut: full };
    const except = new Set(full);
    const quick = Array.from(this.#quick.entries(), ([host]) => host);
    return { only: quick.filter((host) => !except.has(host)) };
  }

  /** Those of the jobs that fit together, the first ones first. */
  choose<Job extends DueJob>(due: readonly Job[]): Job[] {
    let free = this.free();
    let doubtful = this.#limits.doubtful - this.#doubtful;
    const more = new Map<string, number>();
    return due.filter(({ host }) => {
      const isDoubtful = this.#isDoubtful(host);
      if (free <= 0 || (isDoubtful && doubtful <= 0)) return false;
      if (host !== null) {
        const load = this.#perHost.get(host) ?? NO_LOAD;
        if (this.#isFull(host, load, more.get(host) ?? 0)) return false;
      }
      free -= 1;
      if (isDoubtful) doubtful -= 1;
      if (host !== null) more.set(host, (more.get(host) ?? 0) + 1);
      return true;
    });
  }

  take({ host }: Pick<LeasedJob, "host">, nowMs: number): Run {
    const isDoubtful = this.#isDoubtful(host);
    const run = { host, startedAtMs: nowMs, isDoubtful, isRipe: false };
    this.#running.add(run);
    this.#fresh += 1;
    if (isDoubtful) this.#doubtful += 1;
    if (host !== null) this.#changeLoad(host, 1, 1);
    return run;
  }

  giveBack(run: Run, nowMs: number): void {
    if (!this.#running.delete(run)) return;
    const { host } = run;
    if (!run.isRipe) this.#freeSlot(run);
    if (host === null) return;
    this.#changeLoad(host, -1, 0);
    const { ripeAfterMs = Infinity } = this.#limits;
    this.#noteSpeed(host, nowMs - run.startedAtMs < ripeAfterMs);
  }

  /** Takes their slots from those that have waited long. @returns whether there were any */
  ripen(nowMs: number): boolean {
    const { ripeAfterMs } = this.#limits;
    if (ripeAfterMs === undefined) return false;
    let found = false;
    for (const run of this.#running) {
      if (nowMs - run.startedAtMs < ripeAfterMs) break;
      if (run.isRipe) continue;
      found = true;
      run.isRipe = true;
      this.#freeSlot(run);
      if (run.host !== null) this.#noteSpeed(run.host, false);
    }
    return found;
  }

  #freeSlot({ host, isDoubtful }: Run): void {
    this.#fresh -= 1;
    if (host !== null) this.#changeLoad(host, 0, -1);
    if (isDoubtful) this.#doubtful -= 1;
  }

  #isFull(host: string, { running, fresh }: Load, more: number): boolean {
    const { ripeAfterMs } = this.#limits;
    if (running + more >= MAX_PER_HOST) return true;
    return (
      ripeAfterMs !== undefined &&
      fresh + more >= MAX_FRESH_OF_DOUBTFUL &&
      this.#isDoubtful(host)
    );
  }

  #changeLoad(host: string, running: number, fresh: number): void {
    const load = this.#perHost.get(host) ?? { ...NO_LOAD };
    load.running += running;
    load.fresh += fresh;
    if (load.running > 0) this.#perHost.set(host, load);
    else this.#perHost.delete(host);
  }

  #isDoubtful(host: string | null): boolean {
    return host !== null && !this.#quick.has(host);
  }

  #noteSpeed(host: string, isQuick: boolean): void {
    if (isQuick) this.#quick.set(host, true);
    else this.#quick.delete(host);
  }
}
