import type { Db } from "../db/db.ts";
import type { InstanceLock } from "../db/instance-lock.ts";
import { later, type Clock } from "../lib/clock.ts";
import { messageOf } from "../lib/errors.ts";
import { withLogContext } from "../lib/log-context.ts";
import type { Log } from "../lib/log.ts";
import { backOffMs } from "./back-off.ts";
import { HostSlots } from "./host-slots.ts";
import { FinishedJobs } from "./finished-jobs.ts";
import { buryJob, postponeJob, repeatJob } from "./job-store.ts";
import type {
  JobHandler,
  JobKind,
  JobPool,
  JobResult,
  LeasedJob,
  OnSettled,
} from "./job.ts";
import type { Jobs } from "./jobs.ts";
import {
  hasDueJob,
  leaseJobs,
  listLeaseHolders,
  reclaimLeases,
  type WantedJobs,
} from "./lease-store.ts";

type WorkerDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly lock: InstanceLock;
  readonly jobs: Jobs;
  /** How many jobs of each pool run at once. */
  readonly slots: Readonly<Record<JobPool, number>>;
  readonly onSettled?: OnSettled;
};

type Registered = {
  readonly kind: JobKind<never>;
  readonly handler: JobHandler<never>;
};

const POLL_MS = 500;
const RECLAIM_EVERY_MS = 3_000;
/** Jobs are leased in small lots, so that no host gets many more slots than its share. */
const LOT = 8;
/** A few free slots wait so long for more: a lease for each job would cost more than the job. */
const GATHER_MS = 20;
const STOP_WITHIN_MS = 8_000;
/** A worker that has not looked at its queue for so long does not run. */
const STUCK_AFTER_MS = 60_000;

/**
 * Runs due jobs until it is stopped. Every job runs at least once; a crash loses
 * the lease and not the job.
 */
export class Worker {
  readonly #deps: WorkerDeps;
  readonly #kinds = new Map<string, Registered>();
  readonly #active = new Map<JobPool, Set<Promise<void>>>([
    ["delivery", new Set()],
    ["work", new Set()],
  ]);
  readonly #hosts = new HostSlots();
  readonly #finished: FinishedJobs;
  readonly #leasedAtMs = new Map<JobPool, number>();
  readonly #abort = new AbortController();
  #wake: (() => void) | undefined;
  #soon: NodeJS.Timeout | undefined;
  #woken = false;
  #loop: Promise<void> | undefined;
  #stopped: Promise<void> | undefined;
  #lookedAtMs = 0;

  constructor(deps: WorkerDeps) {
    this.#deps = deps;
    this.#finished = new FinishedJobs(deps.db, deps.onSettled);
    deps.jobs.onEnqueued(() => this.wake());
  }

  handle<Payload>(kind: JobKind<Payload>, handler: JobHandler<Payload>): void {
    this.#kinds.set(kind.name, { kind, handler } as unknown as Registered);
  }

  start(): void {
    this.#lookedAtMs = performance.now();
    this.#loop ??= this.#run();
  }

  /** Has it been started, not been stopped, and looked at its queue lately? */
  isRunning(): boolean {
    if (!this.#loop || this.#abort.signal.aborted) return false;
    return performance.now() - this.#lookedAtMs < STUCK_AFTER_MS;
  }

  /** Looks for due jobs now rather than at the next poll. */
  wake(): void {
    this.#woken = true;
    this.#wake?.();
  }

  /** Lets running jobs end, within 8 s; what does not end runs again at the next start. */
  stop(): Promise<void> {
    return (this.#stopped ??= this.#stop());
  }

  async #stop(): Promise<void> {
    this.#abort.abort();
    clearTimeout(this.#soon);
    this.wake();
    await this.#loop;
    const running = this.#running();
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, STOP_WITHIN_MS);
    });
    await Promise.race([Promise.allSettled(running), patience]);
    clearTimeout(timer);
  }

  /**
   * Runs what is due, and may start, until there is nothing of that kind. What
   * waits behind something that was put off is not waited for. For tests, in
   * place of waiting.
   */
  async settle(): Promise<void> {
    // A job that is interrupted is due again at once, so a worker that has stopped would never be done.
    while (!this.#abort.signal.aborted) {
      // What ends while we look may let the next of its lane go.
      const wasRunning = this.#running().length > 0;
      const started =
        (await this.#startDue("work")) + (await this.#startDue("delivery"));
      if (started === 0 && !wasRunning && !(await this.#hasDue())) return;
      const running = this.#running();
      if (running.length > 0) await Promise.race(running);
    }
  }

  /** Somebody else may have held a job, for a moment, when this worker looked. */
  async #hasDue(): Promise<boolean> {
    const { db, clock } = this.#deps;
    for (const pool of this.#active.keys())
      if (await hasDueJob(db.read, this.#wanted(pool), clock.now()))
        return true;
    return false;
  }

  #wanted(pool: JobPool): WantedJobs {
    const kinds = [...this.#kinds.values()]
      .filter(({ kind }) => kind.pool === pool)
      .map(({ kind }) => kind.name);
    return { pool, kinds, exceptHosts: this.#hosts.full() };
  }

  #running(): Promise<void>[] {
    return [...this.#active.values()].flatMap((set) => [...set]);
  }

  async #run(): Promise<void> {
    let reclaimAt = 0;
    while (!this.#abort.signal.aborted) {
      this.#woken = false;
      try {
        const nowMs = this.#deps.clock.now().getTime();
        if (nowMs >= reclaimAt) {
          await this.#reclaim();
          reclaimAt = nowMs + RECLAIM_EVERY_MS;
        }
        for (const pool of this.#active.keys())
          if (this.#isWorthALease(pool)) await this.#startDue(pool);
          else this.#wakeSoon();
        this.#lookedAtMs = performance.now();
      } catch (error) {
        this.#deps.log.error(
          { error: messageOf(error) },
          "The worker cannot reach its queue; it tries again",
        );
      }
      await this.#pause();
    }
  }

  #wakeSoon(): void {
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined;
      this.wake();
    }, GATHER_MS);
  }

  async #pause(): Promise<void> {
    if (this.#woken) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, POLL_MS);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = undefined;
  }

  async #reclaim(): Promise<void> {
    const { db, lock, clock, log } = this.#deps;
    const holders = await listLeaseHolders(db.read);
    if (holders.length === 0) return;
    const ended = await lock.ended(holders);
    const count = await db.transaction((tx) =>
      reclaimLeases(tx, ended, clock.now()),
    );
    if (count > 0) log.info({ jobs: count }, "Took over abandoned jobs");
  }

  async #startDue(pool: JobPool): Promise<number> {
    for (let started = 0; ;) {
      const free = this.#deps.slots[pool] - this.#activeIn(pool).size;
      const lot = await this.#startLot(pool, Math.min(free, LOT));
      started += lot;
      if (lot < LOT) return started;
    }
  }

  #activeIn(pool: JobPool): Set<Promise<void>> {
    return this.#active.get(pool) ?? new Set();
  }

  /** Are there slots enough to be worth a lease, or have they waited long enough? */
  #isWorthALease(pool: JobPool): boolean {
    const active = this.#activeIn(pool).size;
    const free = this.#deps.slots[pool] - active;
    const sinceMs = performance.now() - (this.#leasedAtMs.get(pool) ?? 0);
    return free >= Math.min(LOT, active) || sinceMs >= GATHER_MS;
  }

  async #startLot(pool: JobPool, free: number): Promise<number> {
    const { db, lock, clock } = this.#deps;
    const wanted = this.#wanted(pool);
    if (free <= 0) return 0;
    if (!(await hasDueJob(db.read, wanted, clock.now()))) return 0;
    const jobs = await db.transaction((tx) =>
      leaseJobs(db, tx, lock.id, wanted, free, clock.now()),
    );
    this.#leasedAtMs.set(pool, performance.now());
    for (const job of jobs) this.#startJob(pool, job);
    return jobs.length;
  }

  #startJob(pool: JobPool, job: LeasedJob): void {
    this.#hosts.take(job);
    const active = this.#activeIn(pool);
    const { id, kind } = job;
    const running = withLogContext({ job: id, kind }, () =>
      this.#runJob(job),
    ).finally(() => {
      this.#hosts.giveBack(job);
      active.delete(running);
      this.wake();
    });
    active.add(running);
  }

  async #runJob(job: LeasedJob): Promise<void> {
    const { log } = this.#deps;
    const result = await this.#attempt(job);
    try {
      await this.#settleJob(job, result);
    } catch (error) {
      log.error(
        { error: messageOf(error) },
        "A job's result could not be stored; it will run again",
      );
    }
  }

  async #attempt(job: LeasedJob): Promise<JobResult> {
    const registered = this.#kinds.get(job.kind);
    if (!registered) return { kind: "give_up", reason: "No such kind of job" };
    try {
      return await registered.handler(job.payload as never, {
        job,
        signal: this.#abort.signal,
      });
    } catch (error) {
      const reason = messageOf(error);
      this.#deps.log.warn(
        { attempts: job.attempts, err: error },
        "A job failed",
      );
      if (job.attempts >= registered.kind.maxAttempts)
        return { kind: "give_up", reason };
      return { kind: "retry", afterMs: backOffMs(job.attempts), reason };
    }
  }

  async #settleJob(job: LeasedJob, result: JobResult): Promise<void> {
    const { db, clock } = this.#deps;
    if (result.kind === "done") return this.#finished.remove(job);
    await db.transaction(async (tx) => {
      switch (result.kind) {
        case "again":
          return repeatJob(tx, job, later(clock.now(), result.afterMs));
        case "retry":
          return postponeJob(
            db,
            tx,
            job,
            later(clock.now(), result.afterMs),
            result.reason,
            result.leaveLane ?? false,
          );
        case "give_up":
          await this.#deps.onSettled?.(tx, [{ ...job, isDone: false }]);
          return buryJob(tx, job, result.reason);
      }
    });
  }
}
