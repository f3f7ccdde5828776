import type { Db } from "../../db/db.ts";
import type { InstanceLock } from "../../db/locks/instance-lock.ts";
import type { Clock } from "../../lib/time/clock.ts";
import { messageOf } from "../../lib/errors.ts";
import type { Log } from "../../observability/log.ts";
import type { LeasedJob } from "../job.ts";
import { renewLeases } from "../stores/lease-store.ts";
import { LeaseWatch } from "./lease-watch.ts";
import {
  listLeases,
  reclaimLeases,
  releaseLeases,
  uncountLeases,
  type ListedLease,
} from "../stores/reclaim-store.ts";

export type HeldLeasesDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly lock: InstanceLock;
  /** Monotonic, unaffected by steps of the clock. */
  readonly elapsedMs: () => number;
};

type Held = { readonly job: LeasedJob; renewedAtMs: number };

const MAINTAIN_EVERY_MS = 3_000;
/** Most jobs are done long before, and cost no renewal. */
const RENEW_AFTER_MS = 120_000;
/**
 * Leases of this age are renewed together with the oldest, in one statement.
 */
const RENEW_WITH_MS = RENEW_AFTER_MS / 2;
/**
 * A process that dies is noticed by its lock; this is for one that hangs and
 * keeps it.
 */
const EXPIRE_AFTER_MS = 600_000;
/**
 * After an outage of the database each process acquires its lock again, within
 * about a second.
 */
const CONFIRM_AFTER_MS = 2_000;

/**
 * The leases of the jobs that this process runs, and the leases that ended
 * processes left. A lease held here is renewed, and its job starts nowhere else
 * until its run has ended.
 */
export class HeldLeases {
  readonly #deps: HeldLeasesDeps;
  readonly #held = new Map<number, Held>();
  readonly #watch = new LeaseWatch(EXPIRE_AFTER_MS);
  /** When each of these instances was first seen without its lock. */
  #free = new Map<number, number>();
  #nextLookAtMs = -Infinity;
  #hasLooked = false;

  constructor(deps: HeldLeasesDeps) {
    this.#deps = deps;
  }

  hold(job: LeasedJob): void {
    const renewedAtMs = this.#deps.elapsedMs();
    this.#held.set(job.id, { job, renewedAtMs });
  }

  release(job: LeasedJob): void {
    this.#held.delete(job.id);
  }

  has(id: number): boolean {
    return this.#held.has(id);
  }

  /** Renews leases and reclaims abandoned ones, every few seconds. */
  async maintain(): Promise<void> {
    const nowMs = this.#deps.elapsedMs();
    if (nowMs < this.#nextLookAtMs) return;
    await this.#renew(nowMs);
    await this.#reclaim(nowMs);
    this.#nextLookAtMs = nowMs + MAINTAIN_EVERY_MS;
  }

  async #renew(nowMs: number): Promise<void> {
    const { db, clock } = this.#deps;
    const agesMs = (atLeast: number): Held[] =>
      [...this.#held.values()].filter(
        ({ renewedAtMs }) => nowMs - renewedAtMs >= atLeast,
      );
    if (agesMs(RENEW_AFTER_MS).length === 0) return;
    const due = agesMs(RENEW_WITH_MS);
    const jobs = due.map(({ job }) => job);
    await db.transaction((tx) => renewLeases(db, tx, jobs, clock.now()));
    for (const held of due) held.renewedAtMs = nowMs;
  }

  async #reclaim(nowMs: number): Promise<void> {
    const { db, lock, clock, log } = this.#deps;
    const leases = await listLeases(db.read);
    const foreign = leases.filter(
      ({ id, holder }) => holder !== lock.id && !this.#held.has(id),
    );
    const ended = await this.#listEnded(foreign, nowMs);
    const expired = new Set(this.#watch.observe(foreign, nowMs));
    const abandoned = foreign.filter(
      (lease) => ended.has(lease.holder) || expired.has(lease),
    );
    if (abandoned.length > 0) {
      const count = await db.transaction((tx) =>
        reclaimLeases(db, tx, abandoned, clock.now()),
      );
      if (count > 0) log.info({ jobs: count }, "Reclaimed abandoned jobs");
    }
    await this.#releaseStrays(leases);
  }

  /**
   * Lists the holders that have ended. A worker that starts believes a free
   * lock immediately: it replaces a process that died. Later, the owner may
   * have lost its lock with the database connection and acquire it again in a
   * moment.
   */
  async #listEnded(
    leases: readonly ListedLease[],
    nowMs: number,
  ): Promise<Set<number>> {
    const holders = [...new Set(leases.map(({ holder }) => holder))];
    const free = holders.length > 0 ? await this.#deps.lock.ended(holders) : [];
    this.#free = new Map(
      free.map((holder) => [holder, this.#free.get(holder) ?? nowMs]),
    );
    const isFirst = !this.#hasLooked;
    this.#hasLooked = true;
    return new Set(
      free.filter(
        (holder) =>
          isFirst ||
          nowMs - (this.#free.get(holder) ?? nowMs) >= CONFIRM_AFTER_MS,
      ),
    );
  }

  /**
   * Releases leases of this worker without a run: the answer to the lease
   * statement was lost.
   */
  async #releaseStrays(leases: readonly ListedLease[]): Promise<void> {
    const { db, lock, log } = this.#deps;
    const strays = leases.filter(
      ({ id, holder }) => holder === lock.id && !this.#held.has(id),
    );
    if (strays.length === 0) return;
    await db.transaction((tx) => releaseLeases(db, tx, strays));
    log.info({ jobs: strays.length }, "Released lost leases");
  }

  /** These jobs were interrupted by the stop; they did not kill the process. */
  async uncountInterrupted(): Promise<void> {
    const { db, log } = this.#deps;
    const interrupted = [...this.#held.values()].map(({ job }) => job);
    if (interrupted.length === 0) return;
    try {
      await db.transaction((tx) => uncountLeases(db, tx, interrupted));
    } catch (error) {
      log.warn(
        { error: messageOf(error) },
        "Interrupted jobs count as if the process had died",
      );
    }
  }
}
