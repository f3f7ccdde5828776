import type { DueJob, WantedHosts } from "../stores/lease-store.ts";
import type { LeasedJob } from "../job.ts";
import { HostSpeeds } from "../host-speeds.ts";

/** How many jobs of a pool run in parallel. */
export type ConcurrencyLimits = {
  /** Jobs that started a short while ago. */
  readonly active: number;
  /** Of these, jobs for hosts that are slow or unknown. */
  readonly unproven: number;
  /** In all. */
  readonly running: number;
  /**
   * After this time a job is only waiting for its host, and its slot is free
   * for another one; undefined for jobs that use the CPU all the time.
   */
  readonly slowAfterMs?: number;
};

/** For jobs that are all alike. */
export function plainLimits(count: number): ConcurrencyLimits {
  return { active: count, unproven: count, running: count };
}

/** For requests to other servers: a healthy host answers within a second. */
export function deliveryLimits(active: number): ConcurrencyLimits {
  return {
    active,
    unproven: Math.ceil(active / 2),
    running: active * 4,
    slowAfterMs: 1_000,
  };
}

/** How many jobs of a host run, and how many of them are active. */
type Load = { running: number; active: number };

const NO_LOAD: Load = { running: 0, active: 0 };

/**
 * A run that holds a slot. The slot belongs to the run, not to the job, and is
 * released once, with the run.
 */
export type Run = {
  readonly host: string | null;
  readonly startedAtMs: number;
  isUnproven: boolean;
  isWaiting: boolean;
};

export const MAX_PER_HOST = 8;
/**
 * The number of active jobs for a slow or unknown host; more may start once
 * these are only waiting.
 */
const MAX_ACTIVE_PER_UNPROVEN_HOST = 2;

/**
 * Decides which jobs may start. A request that waits for an answer costs only
 * memory, so only active jobs hold slots, and slow or unknown hosts share a
 * small part of these. Healthy hosts do not wait for slow ones.
 */
export class ConcurrencyLimiter {
  readonly #limits: ConcurrencyLimits;
  /** In the order of their start. */
  readonly #running = new Set<Run>();
  readonly #perHost = new Map<string, Load>();
  readonly #speeds: HostSpeeds;
  #active = 0;
  #unproven = 0;

  constructor(limits: ConcurrencyLimits, speeds = new HostSpeeds()) {
    this.#limits = limits;
    this.#speeds = speeds;
  }

  /** How many jobs may start at most. */
  free(): number {
    const { active, running } = this.#limits;
    return Math.min(active - this.#active, running - this.#running.size);
  }

  isHalfFree(): boolean {
    return this.free() >= this.#limits.active / 2;
  }

  /** The hosts that a job may start for now; undefined if none may. */
  wanted(): WantedHosts | undefined {
    if (this.free() <= 0) return undefined;
    const full = [...this.#perHost]
      .filter(([host, load]) => this.#isFull(host, load, 0))
      .map(([host]) => host);
    if (this.#unproven < this.#limits.unproven) return { allBut: full };
    const except = new Set(full);
    const quick = this.#speeds.listQuick();
    return { only: quick.filter((host) => !except.has(host)) };
  }

  /** Chooses the jobs that fit together, in order. */
  choose<Job extends DueJob>(due: readonly Job[]): Job[] {
    let free = this.free();
    let unproven = this.#limits.unproven - this.#unproven;
    const more = new Map<string, number>();
    return due.filter(({ host }) => {
      const isUnproven = this.#isUnproven(host);
      if (free <= 0 || (isUnproven && unproven <= 0)) return false;
      if (host !== null) {
        const load = this.#perHost.get(host) ?? NO_LOAD;
        if (this.#isFull(host, load, more.get(host) ?? 0)) return false;
      }
      free -= 1;
      if (isUnproven) unproven -= 1;
      if (host !== null) more.set(host, (more.get(host) ?? 0) + 1);
      return true;
    });
  }

  take({ host }: Pick<LeasedJob, "host">, nowMs: number): Run {
    const isUnproven = this.#isUnproven(host);
    const run = { host, startedAtMs: nowMs, isUnproven, isWaiting: false };
    this.#running.add(run);
    this.#active += 1;
    if (isUnproven) this.#unproven += 1;
    if (host !== null) this.#changeLoad(host, 1, 1);
    return run;
  }

  release(run: Run, nowMs: number): void {
    if (!this.#running.delete(run)) return;
    const { host } = run;
    if (!run.isWaiting) this.#freeSlot(run);
    if (host === null) return;
    this.#changeLoad(host, -1, 0);
    const { slowAfterMs = Infinity } = this.#limits;
    this.#speeds.note(host, nowMs - run.startedAtMs < slowAfterMs);
  }

  /**
   * Releases the slots of jobs that have waited long. @returns whether there
   * were any
   */
  releaseSlowSlots(nowMs: number): boolean {
    const { slowAfterMs } = this.#limits;
    if (slowAfterMs === undefined) return false;
    let found = false;
    for (const run of this.#running) {
      if (nowMs - run.startedAtMs < slowAfterMs) break;
      if (run.isWaiting) continue;
      found = true;
      run.isWaiting = true;
      this.#freeSlot(run);
      if (run.host !== null) this.#speeds.note(run.host, false);
    }
    return found;
  }

  #freeSlot({ host, isUnproven }: Run): void {
    this.#active -= 1;
    if (host !== null) this.#changeLoad(host, 0, -1);
    if (isUnproven) this.#unproven -= 1;
  }

  #isFull(host: string, { running, active }: Load, more: number): boolean {
    const { slowAfterMs } = this.#limits;
    if (running + more >= MAX_PER_HOST) return true;
    return (
      slowAfterMs !== undefined &&
      active + more >= MAX_ACTIVE_PER_UNPROVEN_HOST &&
      this.#isUnproven(host)
    );
  }

  #changeLoad(host: string, running: number, active: number): void {
    const load = this.#perHost.get(host) ?? { ...NO_LOAD };
    load.running += running;
    load.active += active;
    if (load.running > 0) this.#perHost.set(host, load);
    else this.#perHost.delete(host);
  }

  #isUnproven(host: string | null): boolean {
    return host !== null && !this.#speeds.isQuick(host);
  }
}
