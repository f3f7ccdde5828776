import type { Db, Reader, Tx } from "../db/db.ts";
import type { PostId } from "../db/schema/ids.ts";
import { lockKey } from "../db/dialect.ts";
import type { Names } from "../db/lock-names.ts";
import { timestamp, type Clock } from "../lib/time/clock.ts";
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
  repairRecurring,
  insertJobs,
  isWaitingIn,
} from "./stores/job-store.ts";
import { wakeJobs } from "./stores/wake-store.ts";
import type {
  EnqueueOptions,
  JobKind,
  NewJob,
  OnSettled,
  RecurringKind,
} from "./job.ts";
import { postponeLane } from "./stores/settle-store.ts";
import { FairOrder } from "./worker/fair-order.ts";
import { withdrawJobs, type Withdrawn } from "./stores/withdraw-store.ts";

/** The durable queue, as those who put jobs in see it. */
export type Jobs = {
  /** Puts a job in, with the caller's own transaction: both happen or neither. */
  enqueue<Payload>(
    tx: Tx,
    kind: JobKind<Payload>,
    payload: Payload,
    options?: EnqueueOptions,
  ): Promise<void>;
  /** Puts one in for each of the kinds, each in a lane of its own. */
  enqueueEach<Payload>(
    tx: Tx,
    kinds: readonly JobKind<Payload>[],
    payload: Payload,
    laneOf: (kind: JobKind<Payload>) => string,
  ): Promise<void>;
  /**
   * Puts many in, in this order, which have their turns so that those of other
   * senders are not kept waiting. @param sender who has them to share a turn with
   */
  enqueueAll<Payload>(
    tx: Tx,
    kind: JobKind<Payload>,
    sender: number,
    jobs: readonly NewJob<Payload>[],
  ): Promise<void>;
  /** Puts a job in, unless its lane holds one that has not ended. */
  enqueueOnce<Payload>(
    tx: Tx,
    kind: JobKind<Payload>,
    payload: Payload,
    options: EnqueueOptions & { readonly lane: string },
  ): Promise<void>;
  /**
   * Puts a job in unless one waits in that lane: one that runs may have looked already.
   * Whichever runs sees what the caller's transaction wrote.
   */
  enqueueUnlessWaiting<Payload>(
    tx: Tx,
    kind: JobKind<Payload>,
    payload: Payload,
    options: EnqueueOptions & { readonly lane: string },
  ): Promise<void>;
  /** Puts a job in that comes back for ever, unless it is there already. */
  ensureRecurring(tx: Tx, kind: RecurringKind): Promise<void>;
  /**
   * Stores a text that many jobs share. It goes with the last of them.
   * @param postId the post that it publishes, so that its jobs can be found
   */
  addDocument(tx: Tx, body: string, postId?: PostId): Promise<number>;
  findDocument(reader: Reader, id: number): Promise<string | undefined>;
  /** Lets what waits for `host` run now. */
  releaseHost(tx: Tx, host: string, which: Released): Promise<void>;
  /** Does anything wait for `host`, or is on its way there? */
  hasJobsFor(tx: Tx, host: string): Promise<boolean>;
  /** Lets what waits in a lane run at `at`, if that is before its time. */
  hurryLane(tx: Tx, lane: string, at: Date): Promise<void>;
  /** Puts off what waits in a lane until then. */
  delayLane(tx: Tx, lane: string, until: Date): Promise<void>;
  /** Puts off what waits for `host` until then; what was put in before `since` is given up. */
  holdHost(
    tx: Tx,
    host: string,
    until: Date,
    giveUp: { readonly since: Date; readonly reason: string },
  ): Promise<void>;
  /** Gives up what waits and is not wanted any more. */
  withdraw(tx: Tx, which: Withdrawn, reason: string): Promise<void>;
  /**
   * Lets run now what waits for a thing of one of these names, which the caller
   * has stored and holds (`lockNames`).
   */
  wake(tx: Tx, names: Names): Promise<void>;
  /** Calls `listener` when jobs that this process put in, or made due, have been committed. */
  onEnqueued(listener: () => void): void;
  /** Calls `listener` in the transaction that gives up what waited too long for a host, or is withdrawn. */
  onMarkedDead(listener: OnSettled): void;
};

export function createJobs(deps: { db: Db; clock: Clock }): Jobs {
  const { db, clock } = deps;
  const touched = new WeakSet<Tx>();
  const listeners: (() => void)[] = [];
  const onBuried: OnSettled[] = [];
  const turns = new FairOrder();
  db.onCommit((tx) => {
    if (!touched.delete(tx)) return;
    for (const listener of listeners) listener();
  });
  async function insert<Payload>(
    tx: Tx,
    kind: JobKind<Payload>,
    payload: Payload,
    options: EnqueueOptions,
  ): Promise<void> {
    const now = clock.now();
    await insertJobs(db, tx, [{ kind, payload, options, turn: now }], now);
    touched.add(tx);
  }
  return {
    enqueue: (tx, kind, payload, options = {}) =>
      insert(tx, kind, payload, options),
    enqueueEach: async (tx, kinds, payload, laneOf) => {
      const now = clock.now();
      const each = kinds.map((kind) => {
        const options = { lane: laneOf(kind) };
        return { kind, payload, options, turn: now };
      });
      await insertJobs(db, tx, each, now);
      if (each.length > 0) touched.add(tx);
    },
    enqueueAll: async (tx, kind, sender, many) => {
      const now = clock.now();
      const times = turns.take(sender, many.length, now.getTime());
      const placed = many.map((job, place) => ({
        ...job,
        kind,
        turn: new Date(times[place] ?? now.getTime()),
      }));
      await insertJobs(db, tx, placed, now);
      touched.add(tx);
    },
    enqueueOnce: async (tx, kind, payload, options) => {
      await lockKey(tx, db.dialect, `job:${options.lane}`);
      if (await hasJobIn(tx, options.lane)) return;
      await insert(tx, kind, payload, options);
    },
    enqueueUnlessWaiting: async (tx, kind, payload, options) => {
      await lockKey(tx, db.dialect, `job:${options.lane}`);
      if (await isWaitingIn(db, tx, options.lane))
        // A worker that looked meanwhile could not take it.
        touched.add(tx);
      else await insert(tx, kind, payload, options);
    },
    ensureRecurring: async (tx, kind) => {
      await lockKey(tx, db.dialect, `job:${kind.name}`);
      if (await repairRecurring(tx, kind.name, clock.now())) return;
      await insert(tx, kind, {}, {});
    },
    addDocument: (tx, body, postId) =>
      insertDocument(tx, body, clock.now(), postId),
    findDocument: getDocument,
    releaseHost: async (tx, host, which) => {
      await releaseHostJobs(db, tx, host, clock.now(), which);
      touched.add(tx);
    },
    hasJobsFor,
    hurryLane: async (tx, lane, at) => {
      await hurryLane(tx, lane, at);
      touched.add(tx);
    },
    delayLane: (tx, lane, until) =>
      postponeLane(db, tx, lane, timestamp(until)),
    holdHost: async (tx, host, until, { since, reason }) => {
      const buried = await markHostJobsDead(
        db,
        tx,
        host,
        since,
        reason,
        clock.now(),
      );
      for (const listener of onBuried) await listener(tx, buried);
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
      for (const listener of onBuried) await listener(tx, withdrawn);
    },
    wake: async (tx, names) => {
      if (await wakeJobs(tx, names, clock.now())) touched.add(tx);
    },
    onEnqueued: (listener) => void listeners.push(listener),
    onMarkedDead: (listener) => void onBuried.push(listener),
  };
}
