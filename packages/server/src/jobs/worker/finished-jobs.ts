import type { Db, Tx } from "../../db/db.ts";
import { deleteUnneededDocument } from "../stores/document-store.ts";
import { deleteJobs } from "../stores/job-store.ts";
import type { LeasedJob, OnSettled } from "../job.ts";
import { markSuperseded } from "../stores/superseded-store.ts";

type Waiting = {
  readonly job: LeasedJob;
  readonly resolve: (isSettled: boolean) => void;
  readonly reject: (error: unknown) => void;
};

const MAX_BATCH = 500;
/**
 * After so many consecutive failures of single jobs, the others are assumed to
 * fail too.
 */
const MAX_FAILURES = 3;
/**
 * Between two removals: jobs that end meanwhile share the flush of the next
 * one. Where no other job runs, nothing is waited for.
 */
const GATHER_MS = 20;

/** The worker whose jobs these are. */
type WatchedWorker = {
  /** How many of its jobs run, or wait for their removal. */
  readonly countRunning: () => number;
  /** Called when some are about to be deleted. */
  readonly onRemoving: () => void;
  readonly elapsedMs: () => number;
};

/** Deletes finished jobs in batches, one transaction for each. */
export class FinishedJobs {
  readonly #db: Db;
  readonly #onSettled: OnSettled | undefined;
  readonly #worker: WatchedWorker;
  #waiting: Waiting[] = [];
  /** Is the next removal under way, or about to be? */
  #isRemoving = false;
  #timer: NodeJS.Timeout | undefined;
  #removedAtMs = -Infinity;

  constructor(db: Db, onSettled: OnSettled | undefined, worker: WatchedWorker) {
    this.#db = db;
    this.#onSettled = onSettled;
    this.#worker = worker;
  }

  /**
   * Resolves when it is durable that the job is done. @returns false if another
   * worker has taken its lease
   */
  remove(job: LeasedJob): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ job, resolve, reject });
      if (!this.#isRemoving) this.#removeSoon();
    });
  }

  /**
   * Called when a job no longer counts as running: those that waited for it may
   * be all that is left.
   */
  onJobEnded(): void {
    if (this.#waiting.length > 0 && !this.#isRemoving) this.#removeSoon();
  }

  #removeSoon(): void {
    const isAll = this.#waiting.length >= this.#worker.countRunning();
    const pauseMs = this.#removedAtMs + GATHER_MS - this.#worker.elapsedMs();
    if (!isAll && pauseMs > 0) {
      this.#timer ??= setTimeout(() => this.#removeNow(), pauseMs);
      return;
    }
    this.#removeNow();
  }

  #removeNow(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isRemoving = true;
    // Include the jobs whose results arrive in the same turn of the event loop.
    setImmediate(() => void this.#removeBatches());
  }

  async #removeBatches(): Promise<void> {
    await this.#removeBatch(this.#waiting.splice(0, MAX_BATCH));
    this.#removedAtMs = this.#worker.elapsedMs();
    this.#isRemoving = false;
    if (this.#waiting.length > 0) this.#removeSoon();
  }

  async #removeBatch(batch: readonly Waiting[]): Promise<void> {
    this.#worker.onRemoving();
    let failure = await this.#tryRemove(batch);
    if (failure === undefined) return;
    if (batch.length === 1) return refuse(batch, failure);
    // One job may cause the failure: the others need not fail with it.
    for (let place = 0, inARow = 0; place < batch.length; place += 1) {
      const one = batch.slice(place, place + 1);
      failure = await this.#tryRemove(one);
      inARow = failure === undefined ? 0 : inARow + 1;
      if (failure === undefined) continue;
      // The database fails then, and each would wait for it.
      if (inARow === MAX_FAILURES) return refuse(batch.slice(place), failure);
      refuse(one, failure);
    }
  }

  /** @returns the error, in which case nothing was deleted */
  async #tryRemove(batch: readonly Waiting[]): Promise<Error | undefined> {
    try {
      const jobs = batch.map(({ job }) => job);
      const removed = await this.#db.transaction((tx) =>
        this.#remove(tx, jobs),
      );
      for (const { job, resolve } of batch) resolve(removed.has(job.id));
      return undefined;
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  async #remove(tx: Tx, jobs: readonly LeasedJob[]): Promise<Set<number>> {
    const removed = await deleteJobs(this.#db, tx, jobs);
    const done = jobs.filter(({ id }) => removed.has(id));
    if (done.length === 0) return removed;
    await markSuperseded(tx, done);
    await this.#onSettled?.(
      tx,
      done.map((job) => ({ ...job, isDone: true })),
    );
    // In the order of ids, so that workers that delete documents concurrently
    // wait instead of deadlocking.
    const documents = [
      ...new Set(done.flatMap(({ documentId }) => documentId ?? [])),
    ].sort((a, b) => a - b);
    for (const id of documents) await deleteUnneededDocument(this.#db, tx, id);
    return removed;
  }
}

function refuse(batch: readonly Waiting[], error: Error): void {
  for (const { reject } of batch) reject(error);
}
