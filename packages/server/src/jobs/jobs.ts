import type { Db, Reader, Tx } from "../db/db.ts";
import { lockKey } from "../db/dialect.ts";
import type { Clock } from "../lib/clock.ts";
import { getDocument, insertDocument } from "./document-store.ts";
import {
  hasJobIn,
  hasJobOf,
  insertJob,
  isWaitingIn,
  releaseHostJobs,
} from "./job-store.ts";
import type { EnqueueOptions, JobKind } from "./job.ts";

/** The durable queue, as those who put jobs in see it. */
export type Jobs = {
  /** Puts a job in, with the caller's own transaction: both happen or neither. */
  enqueue<Payload>(
    tx: Tx,
    kind: JobKind<Payload>,
    payload: Payload,
    options?: EnqueueOptions,
  ): Promise<void>;
  /** Puts a job in, unless its lane holds one that has not ended. */
  enqueueOnce<Payload>(
    tx: Tx,
    kind: JobKind<Payload>,
    payload: Payload,
    options: EnqueueOptions & { readonly lane: string },
  ): Promise<void>;
  /** Puts a job in unless one waits in that lane: one that runs may have looked already. */
  enqueueUnlessWaiting<Payload>(
    tx: Tx,
    kind: JobKind<Payload>,
    payload: Payload,
    options: EnqueueOptions & { readonly lane: string },
  ): Promise<void>;
  /** Puts a job in that comes back for ever, unless it is there already. */
  ensureRecurring(tx: Tx, kind: JobKind<Record<string, never>>): Promise<void>;
  /**
   * Stores a text that many jobs share. It goes with the last of them.
   * @param postId the post that it publishes, so that its jobs can be found
   */
  addDocument(tx: Tx, body: string, postId?: number): Promise<number>;
  findDocument(reader: Reader, id: number): Promise<string | undefined>;
  /** Lets what waits for `host` run now: all of it, or the one job that comes next. */
  releaseHost(tx: Tx, host: string, which: "all" | "next"): Promise<void>;
  /** Calls `listener` when jobs that this process put in have been committed. */
  onEnqueued(listener: () => void): void;
};

export function createJobs(deps: { db: Db; clock: Clock }): Jobs {
  const { db, clock } = deps;
  const touched = new WeakSet<Tx>();
  const listeners: (() => void)[] = [];
  db.onCommit((tx) => {
    if (!touched.delete(tx)) return;
    for (const listener of listeners) listener();
  });
  return {
    enqueue: async (tx, kind, payload, options = {}) => {
      await insertJob(db, tx, kind, payload, clock.now(), options);
      touched.add(tx);
    },
    enqueueOnce: async (tx, kind, payload, options) => {
      await lockKey(tx, db.dialect, `job:${options.lane}`);
      if (await hasJobIn(tx, options.lane)) return;
      await insertJob(db, tx, kind, payload, clock.now(), options);
      touched.add(tx);
    },
    enqueueUnlessWaiting: async (tx, kind, payload, options) => {
      await lockKey(tx, db.dialect, `job:${options.lane}`);
      if (await isWaitingIn(tx, options.lane)) return;
      await insertJob(db, tx, kind, payload, clock.now(), options);
      touched.add(tx);
    },
    ensureRecurring: async (tx, kind) => {
      await lockKey(tx, db.dialect, `job:${kind.name}`);
      if (await hasJobOf(tx, kind.name)) return;
      await insertJob(db, tx, kind, {}, clock.now(), {});
      touched.add(tx);
    },
    addDocument: (tx, body, postId) =>
      insertDocument(tx, body, clock.now(), postId),
    findDocument: getDocument,
    releaseHost: async (tx, host, which) => {
      await releaseHostJobs(db, tx, host, clock.now(), which);
      touched.add(tx);
    },
    onEnqueued: (listener) => void listeners.push(listener),
  };
}
