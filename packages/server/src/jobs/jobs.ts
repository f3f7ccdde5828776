import type { Db, Reader, Tx } from "../db/db.ts";
import type { PostId } from "../db/schema/ids.ts";
import { lockKey } from "../db/dialect.ts";
import type { Names } from "../db/together/names.ts";
import { later, timestamp, type Clock } from "../lib/time/clock.ts";
import { getDocument, insertDocument } from "./stores/document-store.ts";
import {
  markHostJobsDead,
  hasJobsFor,
  holdHostJobs,
  hurryLane,
  releaseHostJobs,
  type Released,
} from "./stores/host-queue-store.ts";
import {
  hasJobIn,
  deleteDeadRecurring,
  findRecurring,
  mendRecurring,
  insertJobs,
  isWaitingIn,
} from "./stores/job-store.ts";
import { wakeJobs } from "./stores/wake-store.ts";
import {
  POOLS,
  type EnqueueOptions,
  type JobKind,
  type JobPool,
  type NewJob,
  type OnSettled,
  type RecurringKind,
} from "./job.ts";
import { postponeLane } from "./stores/settle-store.ts";
import { FairOrder, MAX_TURN_AHEAD_MS } from "./fair-order.ts";
import { HostSpeeds } from "./host-speeds.ts";
import { withdrawJobs, type Withdrawn } from "./stores/withdraw-store.ts";

/** The durable queue, as producers see it. */
export type Jobs = {
  /** How fast hosts answered the jobs of this process. */
  readonly speeds: HostSpeeds;
  /** Enqueues a job in the caller's own transaction: both happen or neither. */
  enqueue<Payload>(
    tx: Tx,
    kind: JobKind<Payload>,
    payload: Payload,
    options?: EnqueueOptions,
  ): Promise<void>;
  /** Enqueues one job of each kind, each in a lane of its own. */
  enqueueEach<Payload>(
    tx: Tx,
    kinds: readonly JobKind<Payload>[],
    payload: Payload,
    laneOf: (kind: JobKind<Payload>) => string,
  ): Promise<void>;
  /**
   * Enqueues many jobs, in this order, with turns that do not starve the jobs
   * of other senders. @param sender jobs of one sender share its turns
   */
  enqueueAll<Payload>(
    tx: Tx,
    kind: JobKind<Payload>,
    sender: number,
    jobs: readonly NewJob<Payload>[],
  ): Promise<void>;
  /** Enqueues a job, unless its lane holds one that has not ended. */
  enqueueOnce<Payload>(
    tx: Tx,
    kind: JobKind<Payload>,
    payload: Payload,
    options: EnqueueOptions & { readonly lane: string },
  ): Promise<void>;
  /**
   * Enqueues a job unless one is waiting in that lane; a running one may have
   * read its input already. The job that runs sees the writes of the caller's
   * transaction.
   */
  enqueueUnlessWaiting<Payload>(
    tx: Tx,
    kind: JobKind<Payload>,
    payload: Payload,
    options: EnqueueOptions & { readonly lane: string },
  ): Promise<void>;
  /** Does that lane hold a job that waits or runs? */
  hasJobIn(reader: Reader, lane: string): Promise<boolean>;
  /**
   * Enqueues the recurring jobs that are not there yet, and makes those due now whose times a
   * clock that was ahead has chosen.
   * @param kinds all of this server: some of them recur each minute
   */
  ensureRecurring(tx: Tx, kinds: readonly RecurringKind[]): Promise<void>;
  /**
   * Stores a text that many jobs share. It is removed with the last of them.
   * @param postId the post that it publishes, so that its jobs can be found
   */
  addDocument(tx: Tx, body: string, postId?: PostId): Promise<number>;
  findDocument(reader: Reader, id: number): Promise<string | undefined>;
  /** Makes the jobs waiting for `host` due now. */
  releaseHost(tx: Tx, host: string, which: Released): Promise<void>;
  /** Does any job wait or run for `host`? */
  hasJobsFor(tx: Tx, host: string): Promise<boolean>;
  /**
   * Makes the waiting jobs of a lane due at `at`, if that is before their time.
   */
  hurryLane(tx: Tx, lane: string, at: Date): Promise<void>;
  /** Postpones the waiting jobs of a lane. */
  delayLane(tx: Tx, lane: string, until: Date): Promise<void>;
  /**
   * Postpones the jobs waiting for `host`; jobs enqueued before `since` are
   * marked dead.
   */
  holdHost(
    tx: Tx,
    host: string,
    until: Date,
    giveUp: { readonly since: Date; readonly reason: string },
  ): Promise<void>;
  /** Marks waiting jobs dead that are not wanted any more. */
  withdraw(tx: Tx, which: Withdrawn, reason: string): Promise<void>;
  /**
   * Makes jobs due that wait for a thing of one of these names, which the
   * caller has stored and locked (`lockNames`).
   */
  wake(tx: Tx, names: Names): Promise<void>;
  /**
   * Calls `listener` after a commit in which this process enqueued jobs or made
   * some due. @param listener gets their pools
   */
  onEnqueued(listener: (pools: readonly JobPool[]) => void): void;
  /**
   * Calls `listener` in the transaction that marks jobs dead because they
   * waited too long for a host or were withdrawn.
   */
  onMarkedDead(listener: OnSettled): void;
};

export function createJobs(deps: { db: Db; clock: Clock }): Jobs {
  const { db, clock } = deps;
  const touched = new WeakMap<Tx, Set<JobPool>>();
  const listeners: ((pools: readonly JobPool[]) => void)[] = [];
  const deadListeners: OnSettled[] = [];
  const turns = new FairOrder();
  const speeds = new HostSpeeds();
  db.onCommit((tx) => {
    const pools = touched.get(tx);
    if (!pools) return;
    touched.delete(tx);
    for (const listener of listeners) listener([...pools]);
  });
  function touch(tx: Tx, pools: readonly JobPool[] = POOLS): void {
    const known = touched.get(tx);
    touched.set(tx, known?.union(new Set(pools)) ?? new Set(pools));
  }
  async function insert<Payload>(
    tx: Tx,
    kind: JobKind<Payload>,
    payload: Payload,
    options: EnqueueOptions,
  ): Promise<void> {
    const now = clock.now();
    await insertJobs(db, tx, [{ kind, payload, options, turn: now }], now);
    touch(tx, [kind.pool]);
  }
  return {
    speeds,
    enqueue: (tx, kind, payload, options = {}) =>
      insert(tx, kind, payload, options),
    enqueueEach: async (tx, kinds, payload, laneOf) => {
      const now = clock.now();
      const each = kinds.map((kind) => {
        const options = { lane: laneOf(kind) };
        return { kind, payload, options, turn: now };
      });
      await insertJobs(db, tx, each, now);
      touch(
        tx,
        kinds.map(({ pool }) => pool),
      );
    },
    enqueueAll: async (tx, kind, sender, many) => {
      const now = clock.now();
      const times = turns.take(sender, many.length, now.getTime());
      const last = later(now, MAX_TURN_AHEAD_MS);
      const placed = many.map(({ goesLast = false, ...job }, place) => ({
        ...job,
        kind,
        turn: goesLast ? last : new Date(times[place] ?? now.getTime()),
      }));
      await insertJobs(db, tx, placed, now);
      touch(tx, [kind.pool]);
    },
    enqueueOnce: async (tx, kind, payload, options) => {
      await lockKey(tx, db.dialect, `job:${options.lane}`);
      if (await hasJobIn(tx, options.lane)) return;
      await insert(tx, kind, payload, options);
    },
    enqueueUnlessWaiting: async (tx, kind, payload, options) => {
      await lockKey(tx, db.dialect, `job:${options.lane}`);
      if (await isWaitingIn(db, tx, options.lane))
        // A worker that polled meanwhile could not lease it.
        touch(tx, [kind.pool]);
      else await insert(tx, kind, payload, options);
    },
    hasJobIn,
    ensureRecurring: async (tx, kinds) => {
      const names = kinds.map(({ name }) => name);
      for (const name of names) await lockKey(tx, db.dialect, `job:${name}`);
      await deleteDeadRecurring(tx, names);
      await mendRecurring(tx, names, clock.now());
      const found = await findRecurring(tx, names);
      for (const kind of kinds)
        if (!found.has(kind.name)) await insert(tx, kind, {}, {});
    },
    addDocument: (tx, body, postId) =>
      insertDocument(tx, body, clock.now(), postId),
    findDocument: getDocument,
    releaseHost: async (tx, host, which) => {
      await releaseHostJobs(db, tx, host, clock.now(), which);
      touch(tx);
    },
    hasJobsFor,
    hurryLane: async (tx, lane, at) => {
      await hurryLane(tx, lane, at);
      touch(tx);
    },
    delayLane: (tx, lane, until) =>
      postponeLane(db, tx, lane, timestamp(until)),
    holdHost: async (tx, host, until, { since, reason }) => {
      const dead = await markHostJobsDead(
        db,
        tx,
        host,
        since,
        reason,
        clock.now(),
      );
      for (const listener of deadListeners) await listener(tx, dead);
      await holdHostJobs(db, tx, host, until);
    },
    withdraw: async (tx, which, reason) => {
      const withdrawn = await withdrawJobs(
        db,
        tx,
        which,
        reason,
        timestamp(clock.now()),
      );
      for (const listener of deadListeners) await listener(tx, withdrawn);
    },
    wake: async (tx, names) => {
      if (await wakeJobs(tx, names, clock.now())) touch(tx);
    },
    onEnqueued: (listener) => void listeners.push(listener),
    onMarkedDead: (listener) => void deadListeners.push(listener),
  };
}
