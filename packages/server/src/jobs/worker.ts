import type { Db } from "../db/db.ts";
import type { InstanceLock } from "../db/instance-lock.ts";
import type { Clock } from "../lib/clock.ts";
import { messageOf } from "../lib/errors.ts";
import { withLogContext } from "../lib/log-context.ts";
import type { Log } from "../lib/log.ts";
import { backOffMs } from "./back-off.ts";
import { FinishedJobs } from "./finished-jobs.ts";
import type {
  JobHandler,
  JobKind,
  JobPool,
  JobResult,
  LeasedJob,
  OnSettled,
} from "./job.ts";
import type { Jobs } from "./jobs.ts";
import { findDueJobs, leaseJobs, type WantedHosts } from "./lease-store.ts";
import { Looks, WHOLE } from "./looks.ts";
import {
  listLeasedBy,
  listLeaseHolders,
  reclaimLeases,
  releaseLeases,
  uncountLeases,
  unsettledReason,
} from "./reclaim-store.ts";
import { settleJob } from "./settle-job.ts";
import { Slots, type SlotLimits } from "./slots.ts";

type WorkerDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly lock: InstanceLock;
  readonly jobs: Jobs;
  /** How many jobs of each pool run at once. */
  readonly onSettled?: OnSettled;
  readonly slots: Readonly<Record<JobPool, SlotLimits>>;
};

type Registered = {
  readonly kind: JobKind<never>;
  readonly handler: JobHandler<never>;
};

const POOLS: readonly JobPool[] = ["work", "delivery"];
const POLL_MS = 500;
const RECLAIM_EVERY_MS = 3_000;
/** Longer than between two removals of finished jobs, which a lease shares its flush with. */
const SOON_MS = 30;
/** More are looked at than there are slots: some may be for hosts that have enough. */
const LOOK = 32;
const RIPEN_EVERY_MS = 250;
const STOP_WITHIN_MS = 8_000;
/** Kinds with hundreds of attempts may throw so often, but not end so many processes. */
const MAX_DEATHS = 20;
/** A worker that has not looked at its queue for so long does not run. */
const STUCK_AFTER_MS = 60_000;

/**
 * Runs due jobs until it is stopped. Every job runs at least once; a crash loses
 * the lease and not the job.
 */
export class Worker {
  readonly #deps: WorkerDeps;
  readonly #kinds = new Map<string, Registered>();
  readonly #active: Readonly<Record<JobPool, Set<Promise<void>>>> = {
    delivery: new Set(),
    work: new Set(),
  };
  readonly #slots: Readonly<Record<JobPool, Slots>>;
  readonly #finished: FinishedJobs;
  readonly #looks: Readonly<Record<JobPool, Looks>> = {
    delivery: new Looks(),
    work: new Looks(),
  };
  /** The ids of the jobs that run. */
  readonly #held = new Set<number>();
  readonly #abort = new AbortController();
  #wake: (() => void) | undefined;
  #soon: NodeJS.Timeout | undefined;
  #ripening: NodeJS.Timeout | undefined;
  #woken = false;
  #starts = 0;
  #isRemoving = false;
  #loop: Promise<void> | undefined;
  #stopped: Promise<void> | undefined;
  #turnedAtMs = 0;

  constructor(deps: WorkerDeps) {
    this.#deps = deps;
    this.#finished = new FinishedJobs(deps.db, deps.onSettled, () => {
      // Finished jobs are about to be removed: a lease shares the flush to the disk.
      this.#isRemoving = true;
      this.wake();
    });
    this.#slots = {
      delivery: new Slots(deps.slots.delivery),
      work: new Slots(deps.slots.work),
    };
    deps.jobs.onEnqueued(() => this.wake());
  }

  handle<Payload>(kind: JobKind<Payload>, handler: JobHandler<Payload>): void {
    this.#kinds.set(kind.name, { kind, handler } as unknown as Registered);
  }

  start(): void {
    this.#turnedAtMs = performance.now();
    this.#ripening ??= setInterval(() => {
      for (const pool of POOLS)
        if (this.#slots[pool].ripen(performance.now())) this.wake();
    }, RIPEN_EVERY_MS);
    this.#loop ??= this.#run();
  }

  /** Has it been started, not been stopped, and looked at its queue lately? */
  isRunning(): boolean {
    if (!this.#loop || this.#abort.signal.aborted) return false;
    return performance.now() - this.#turnedAtMs < STUCK_AFTER_MS;
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
    clearInterval(this.#ripening);
    this.wake();
    await this.#loop;
    const running = this.#running();
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, STOP_WITHIN_MS);
    });
    await Promise.race([Promise.allSettled(running), patience]);
    clearTimeout(timer);
    await this.#uncountInterrupted();
  }

  /** The stop interrupted these jobs; they did not kill the process. */
  async #uncountInterrupted(): Promise<void> {
    const { db, lock, log } = this.#deps;
    const interrupted = [...this.#held];
    if (interrupted.length === 0) return;
    try {
      await db.transaction((tx) => uncountLeases(db, tx, lock.id, interrupted));
    } catch (error) {
      log.warn(
        { error: messageOf(error) },
        "Interrupted jobs count as if the process had died",
      );
    }
  }

  /**
   * Runs what is due, and may start, until there is nothing of that kind. What
   * waits behind something that was put off is not waited for. For tests, in
   * place of waiting.
   */
  async settle(): Promise<void> {
    // A job that is interrupted is due again at once, so a worker that has stopped would never be done.
    while (!this.#abort.signal.aborted) {
      // What runs while we look has slots, and may let the next of its lane go.
      const [running, starts] = [this.#running(), this.#starts];
      await this.#startDue("work");
      await this.#startDue("delivery");
      const wasAlone = running.length === 0 && this.#starts === starts;
      if (wasAlone && !(await this.#hasDue()) && this.#starts === starts)
        return;
      if (this.#running().length > 0) await Promise.race(this.#running());
    }
  }

  /** Somebody else may have held a job, for a moment, when this worker looked. */
  async #hasDue(): Promise<boolean> {
    for (const pool of POOLS) {
      const hosts = this.#slots[pool].wanted();
      if (hosts && (await this.#findDue(pool, hosts, 1, WHOLE)).length > 0)
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

  #running(): Promise<void>[] {
    return POOLS.flatMap((pool) => [...this.#active[pool]]);
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
        for (const pool of POOLS)
          if (this.#isWorthALease(pool)) await this.#startDue(pool);
          else this.#wakeSoon();
        this.#turnedAtMs = performance.now();
        this.#isRemoving = false;
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
    }, SOON_MS);
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
      reclaimLeases(db, tx, ended, clock.now()),
    );
    if (count > 0) log.info({ jobs: count }, "Took over abandoned jobs");
    if (holders.includes(lock.id)) await this.#releaseStrays();
  }

  /**
   * What this worker has leased and does not run: the answer to the lease was
   * lost, or what came of the job could not be stored.
   */
  async #releaseStrays(): Promise<void> {
    const { db, lock, log } = this.#deps;
    const leased = await listLeasedBy(db.read, lock.id);
    const strays = leased.filter((id) => !this.#held.has(id));
    if (strays.length === 0) return;
    await db.transaction((tx) => releaseLeases(db, tx, lock.id, strays));
    log.info({ jobs: strays.length }, "Runs jobs again that got lost");
  }

  async #startDue(pool: JobPool): Promise<void> {
    while (await this.#startLot(pool));
  }

  #isWorthALease(pool: JobPool): boolean {
    if (this.#isRemoving || this.#active[pool].size === 0) return true;
    const isHalfFree = this.#slots[pool].isHalfFree();
    return this.#looks[pool].isDue(performance.now(), isHalfFree);
  }

  /** @returns whether there may be more that could start */
  async #startLot(pool: JobPool): Promise<boolean> {
    const { db, lock, clock } = this.#deps;
    const slots = this.#slots[pool];
    const hosts = slots.wanted();
    if (!hosts) return false;
    const looks = this.#looks[pool];
    const startedAtMs = performance.now();
    const limit = slots.free() + LOOK;
    const depth = looks.depth(limit, startedAtMs);
    const due = await this.#findDue(pool, hosts, limit, depth);
    const chosen = slots.choose(due);
    const isEnough = chosen.length >= slots.free();
    looks.note({ startedAtMs, endedAtMs: performance.now(), isEnough });
    // What the stop interrupted is due at once, and is not for this worker.
    if (chosen.length === 0 || this.#abort.signal.aborted) return false;
    const jobs = await db.transaction((tx) =>
      leaseJobs(db, tx, lock.id, chosen, clock.now()),
    );
    for (const job of jobs) this.#startJob(pool, job);
    return jobs.length > 0 && due.length === limit;
  }

  #startJob(pool: JobPool, job: LeasedJob): void {
    this.#starts += 1;
    this.#slots[pool].take(job, performance.now());
    const active = this.#active[pool];
    const { id, kind } = job;
    this.#held.add(id);
    const running = withLogContext({ job: id, kind }, () =>
      this.#runJob(job),
    ).finally(() => {
      this.#slots[pool].giveBack(job, performance.now());
      active.delete(running);
      this.#held.delete(id);
      this.wake();
    });
    active.add(running);
  }

  async #runJob(job: LeasedJob): Promise<void> {
    const { log } = this.#deps;
    const result = await this.#attempt(job);
    try {
      await settleJob(this.#deps, this.#finished, job, result);
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
    const { maxAttempts } = registered.kind;
    if (job.unsettledLeases > Math.min(maxAttempts, MAX_DEATHS))
      return this.#giveUpUnstarted(job);
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

  /** A process that dies cannot count a failure: only the leases say that the job kills it. */
  #giveUpUnstarted({ unsettledLeases }: LeasedJob): JobResult {
    const reason = unsettledReason(unsettledLeases - 1);
    this.#deps.log.error({ reason }, "A job is given up before it runs again");
    return { kind: "give_up", reason };
  }
}
