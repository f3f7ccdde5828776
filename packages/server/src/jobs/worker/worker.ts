import type { Db } from "../../db/db.ts";
import type { InstanceLock } from "../../db/locks/instance-lock.ts";
import type { Clock } from "../../lib/time/clock.ts";
import { messageOf } from "../../lib/errors.ts";
import { withLogContext } from "../../observability/log-context.ts";
import type { Log } from "../../observability/log.ts";
import type { Tracing } from "../../observability/tracing.ts";
import { ClockWatch } from "./clock-watch.ts";
import { FinishedJobs } from "./finished-jobs.ts";
import { HeldLeases } from "./held-leases.ts";
import {
  POOLS,
  type JobHandler,
  type JobKind,
  type JobPool,
  type OnSettled,
} from "../job.ts";
import type { Jobs } from "../jobs.ts";
import {
  findDueJobs,
  leaseJobs,
  type LeasedRow,
  type WantedHosts,
} from "../stores/lease-store.ts";
import { hurryRecurring } from "../stores/job-store.ts";
import { PollSchedule, FULL_SCAN } from "./poll-schedule.ts";
import { readPayload } from "../payload.ts";
import { runJob, type Registered, type RunJobDeps } from "./run-job.ts";
import {
  ConcurrencyLimiter,
  type ConcurrencyLimits,
} from "./concurrency-limiter.ts";

type WorkerDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly lock: InstanceLock;
  readonly jobs: Jobs;
  readonly onSettled?: OnSettled;
  readonly tracing?: Tracing;
  /** How many jobs of each pool run in parallel. */
  readonly slots: Readonly<Record<JobPool, ConcurrencyLimits>>;
  /**
   * Monotonic; tests give their own. Durations are not measured by the wall
   * clock, which is corrected now and then.
   */
  readonly elapsedMs?: () => number;
};

/** The pools whose jobs may start when one of this pool ends: deliveries follow jobs that make others. */
const FREED_BY: Readonly<Record<JobPool, readonly JobPool[]>> = {
  work: ["work", "delivery"],
  delivery: ["work", "delivery"],
  import: ["import"],
};
const POLL_MS = 500;
/**
 * Longer than the pause between two removals of finished jobs, so that a lease
 * shares their flush.
 */
const SOON_MS = 30;
/** Scanned beyond the number of free slots: some jobs may be for busy hosts. */
const EXTRA_SCANNED = 32;
const RELEASE_SLOW_EVERY_MS = 250;
const STOP_WITHIN_MS = 8_000;
/** A worker that has not polled its queue for so long is stuck. */
const STUCK_AFTER_MS = 60_000;

/**
 * Runs due jobs until it is stopped. Every job runs at least once; a crash
 * loses the lease and not the job.
 */
export class Worker {
  readonly #deps: WorkerDeps;
  readonly #kinds = new Map<string, Registered>();
  readonly #active: Readonly<Record<JobPool, Set<Promise<void>>>> = {
    delivery: new Set(),
    import: new Set(),
    work: new Set(),
  };
  readonly #slots: Readonly<Record<JobPool, ConcurrencyLimiter>>;
  readonly #finished: FinishedJobs;
  readonly #looks: Readonly<Record<JobPool, PollSchedule>> = {
    delivery: new PollSchedule(),
    import: new PollSchedule(),
    work: new PollSchedule(),
  };
  readonly #elapsedMs: () => number;
  readonly #held: HeldLeases;
  readonly #clockWatch: ClockWatch;
  readonly #abort = new AbortController();
  readonly #runDeps: RunJobDeps;
  /** Pools that may have jobs to start since their last poll. */
  readonly #woken = new Set<JobPool>(POOLS);
  /** Pools whose poll waits for a moment, to lease more at once. */
  readonly #postponed = new Set<JobPool>();
  #wake: (() => void) | undefined;
  #soon: NodeJS.Timeout | undefined;
  #slowReleases: NodeJS.Timeout | undefined;
  #starts = 0;
  #isRemoving = false;
  #loop: Promise<void> | undefined;
  #stopped: Promise<void> | undefined;
  #turnedAtMs = 0;

  constructor(deps: WorkerDeps) {
    this.#deps = deps;
    const { elapsedMs = () => performance.now() } = deps;
    this.#elapsedMs = elapsedMs;
    this.#clockWatch = new ClockWatch(deps.clock, elapsedMs);
    this.#held = new HeldLeases({ ...deps, elapsedMs });
    this.#finished = new FinishedJobs(deps.db, deps.onSettled, {
      elapsedMs,
      countRunning: () => this.#countRunning(),
      onRemoving: () => {
        // A lease shares the flush to the disk.
        this.#isRemoving = true;
        this.wake([...this.#postponed]);
      },
    });
    const { signal } = this.#abort;
    this.#runDeps = { ...deps, finished: this.#finished, signal };
    this.#slots = {
      delivery: new ConcurrencyLimiter(deps.slots.delivery, deps.jobs.speeds),
      import: new ConcurrencyLimiter(deps.slots.import),
      work: new ConcurrencyLimiter(deps.slots.work),
    };
    deps.jobs.onEnqueued((pools) => this.wake(pools));
  }

  handle<Payload>(kind: JobKind<Payload>, handler: JobHandler<Payload>): void {
    this.#kinds.set(kind.name, { kind, handler } as unknown as Registered);
  }

  start(): void {
    this.#turnedAtMs = this.#elapsedMs();
    this.#slowReleases ??= setInterval(() => {
      for (const pool of POOLS)
        if (this.#slots[pool].releaseSlowSlots(this.#elapsedMs()))
          this.wake([pool]);
      if (this.#clockWatch.wasSetBack()) void this.#hurryRecurring();
    }, RELEASE_SLOW_EVERY_MS);
    this.#loop ??= this.#run();
  }

  /** Else no reminder, backup or cleaning would run before the clock is there again. */
  async #hurryRecurring(): Promise<void> {
    const { db, clock, log } = this.#deps;
    const kinds = [...this.#kinds.values()]
      .filter(({ kind }) => kind.recurs)
      .map(({ kind }) => kind.name);
    log.warn({}, "The clock was set back: jobs that recur run now");
    try {
      await db.transaction((tx) => hurryRecurring(tx, kinds, clock.now()));
      this.wake();
    } catch (error) {
      log.warn({ err: error }, "Jobs that recur wait for their old times");
    }
  }

  /** Is it started, not stopped, and polling? */
  isRunning(): boolean {
    if (!this.#loop || this.#abort.signal.aborted) return false;
    return this.#elapsedMs() - this.#turnedAtMs < STUCK_AFTER_MS;
  }

  /** Polls these pools now rather than at the next interval. */
  wake(pools = POOLS): void {
    for (const pool of pools) this.#woken.add(pool);
    this.#wake?.();
  }

  /**
   * Lets running jobs end, within 8 s; the others run again at the next start.
   */
  stop(): Promise<void> {
    return (this.#stopped ??= this.#stop());
  }

  async #stop(): Promise<void> {
    this.#abort.abort();
    clearTimeout(this.#soon);
    clearInterval(this.#slowReleases);
    this.wake();
    await this.#loop;
    const running = this.#running();
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, STOP_WITHIN_MS);
    });
    await Promise.race([Promise.allSettled(running), timeout]);
    clearTimeout(timer);
    await this.#held.uncountInterrupted();
  }

  /**
   * Runs all jobs that are due and may start, until none is left. It does not
   * wait for jobs behind a postponed one. For tests, instead of sleeping.
   */
  async settle(): Promise<void> {
    // An interrupted job is due again immediately, so a stopped worker would
    // never be done.
    while (!this.#abort.signal.aborted) {
      // A job that runs during the scan may free a slot, and the next job of
      // its lane.
      const [running, starts] = [this.#running(), this.#starts];
      for (const pool of POOLS) await this.#startDue(pool);
      const wasAlone = running.length === 0 && this.#starts === starts;
      if (wasAlone && !(await this.#hasDue()) && this.#starts === starts)
        return;
      if (this.#running().length > 0) await Promise.race(this.#running());
    }
  }

  /** Another worker may have held a job for a moment during the poll. */
  async #hasDue(): Promise<boolean> {
    for (const pool of POOLS) {
      const hosts = this.#slots[pool].wanted();
      if (hosts && (await this.#findDue(pool, hosts, 1, FULL_SCAN)).length > 0)
        return true;
    }
    return false;
  }

  #findDue(pool: JobPool, hosts: WantedHosts, limit: number, depth: number) {
    const { db, clock } = this.#deps;
    const kinds = [...this.#kinds.values()]
      .filter(({ kind }) => kind.pool === pool)
      .map(({ kind }) => kind.name);
    const wanted = { pool, kinds, hosts };
    return findDueJobs(db, wanted, { limit, depth }, clock.now());
  }

  #countRunning(): number {
    return POOLS.reduce((sum, pool) => sum + this.#active[pool].size, 0);
  }

  #running(): Promise<void>[] {
    return POOLS.flatMap((pool) => [...this.#active[pool]]);
  }

  async #run(): Promise<void> {
    while (!this.#abort.signal.aborted) {
      try {
        await this.#held.maintain();
        for (const pool of POOLS) await this.#poll(pool);
        this.#turnedAtMs = this.#elapsedMs();
        this.#isRemoving = false;
      } catch (error) {
        this.#deps.log.error(
          { error: messageOf(error) },
          "The worker cannot reach its queue and retries",
        );
        // Otherwise it would retry without a pause, after which it polls them all.
        this.#woken.clear();
      }
      await this.#pause();
    }
  }

  async #poll(pool: JobPool): Promise<void> {
    const isOverdue = this.#looks[pool].isOverdue(this.#elapsedMs(), POLL_MS);
    if (!isOverdue && !this.#woken.has(pool)) return;
    this.#woken.delete(pool);
    this.#postponed.delete(pool);
    if (this.#isWorthALease(pool)) await this.#startDue(pool);
    else this.#wakeSoon(pool);
  }

  #wakeSoon(pool: JobPool): void {
    this.#postponed.add(pool);
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined;
      this.wake([...this.#postponed]);
      this.#postponed.clear();
    }, SOON_MS);
  }

  async #pause(): Promise<void> {
    if (this.#woken.size > 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => this.wake(), POLL_MS);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = undefined;
  }

  async #startDue(pool: JobPool): Promise<void> {
    while (await this.#startBatch(pool));
  }

  #isWorthALease(pool: JobPool): boolean {
    if (this.#isRemoving || this.#active[pool].size === 0) return true;
    const isHalfFree = this.#slots[pool].isHalfFree();
    return this.#looks[pool].isDue(this.#elapsedMs(), isHalfFree);
  }

  /** @returns whether there may be more that could start */
  async #startBatch(pool: JobPool): Promise<boolean> {
    const { db, lock, clock } = this.#deps;
    const slots = this.#slots[pool];
    const hosts = slots.wanted();
    if (!hosts) return false;
    const looks = this.#looks[pool];
    const startedAtMs = this.#elapsedMs();
    const limit = slots.free() + EXTRA_SCANNED;
    const depth = looks.depth(limit, startedAtMs);
    const due = await this.#findDue(pool, hosts, limit, depth);
    // A job that still runs here may have been released by another worker; it
    // does not start twice.
    const chosen = slots.choose(due.filter(({ id }) => !this.#held.has(id)));
    const isEnough = chosen.length >= slots.free();
    looks.record({ startedAtMs, endedAtMs: this.#elapsedMs(), isEnough });
    // A job interrupted by the stop is due immediately, but not for this
    // worker.
    if (chosen.length === 0 || this.#abort.signal.aborted) return false;
    const jobs = await db.transaction((tx) =>
      leaseJobs(db, tx, lock.id, chosen, clock.now()),
    );
    for (const row of jobs) this.#startJob(pool, row);
    return jobs.length > 0 && due.length === limit;
  }

  #startJob(pool: JobPool, row: LeasedRow): void {
    const job = { ...row, ...readPayload(row.payload) };
    const { id, kind, requestId } = job;
    this.#starts += 1;
    const slots = this.#slots[pool];
    const run = slots.take(job, this.#elapsedMs());
    this.#held.hold(job);
    const active = this.#active[pool];
    const running = withLogContext(
      { job: id, kind, ...(requestId !== null && { requestId }) },
      () => runJob(this.#runDeps, this.#kinds.get(kind), job),
    ).finally(() => {
      slots.release(run, this.#elapsedMs());
      active.delete(running);
      this.#held.release(job);
      this.#finished.onJobEnded();
      this.wake(FREED_BY[pool]);
    });
    active.add(running);
  }
}
