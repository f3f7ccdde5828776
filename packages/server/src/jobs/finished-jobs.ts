import type { Db } from "../db/db.ts";
import { deleteUnneededDocument } from "./document-store.ts";
import { deleteJobs } from "./job-store.ts";
import type { LeasedJob, OnSettled } from "./job.ts";
import { markOvertaken } from "./overtaken-store.ts";

type Waiting = {
  readonly job: LeasedJob;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
};

const MAX_LOT = 500;
/** Between two removals: what ends meanwhile shares the next one's flush to the disk. */
const GATHER_MS = 20;

/** Removes finished jobs, those that finish at about the same time in one transaction. */
export class FinishedJobs {
  readonly #db: Db;
  readonly #onSettled: OnSettled | undefined;
  readonly #onRemoving: () => void;
  #waiting: Waiting[] = [];
  #isRemoving = false;
  #removedAtMs = -Infinity;

  /** @param onRemoving called when some are about to be removed */
  constructor(
    db: Db,
    onSettled: OnSettled | undefined,
    onRemoving: () => void,
  ) {
    this.#db = db;
    this.#onSettled = onSettled;
    this.#onRemoving = onRemoving;
  }

  /** Resolves when it is durable that the job is done. */
  remove(job: LeasedJob): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ job, resolve, reject });
      if (this.#isRemoving) return;
      this.#isRemoving = true;
      this.#removeSoon();
    });
  }

  #removeSoon(): void {
    const pauseMs = this.#removedAtMs + GATHER_MS - performance.now();
    // The others whose answers came in the same turn of the loop join.
    if (pauseMs <= 0) setImmediate(() => void this.#removeLots());
    else setTimeout(() => void this.#removeLots(), pauseMs);
  }

  async #removeLots(): Promise<void> {
    await this.#removeLot(this.#waiting.splice(0, MAX_LOT));
    this.#removedAtMs = performance.now();
    this.#isRemoving = this.#waiting.length > 0;
    if (this.#isRemoving) this.#removeSoon();
  }

  async #removeLot(lot: readonly Waiting[]): Promise<void> {
    // In one order, so that two workers who remove documents wait for each other and do not lock up.
    const documents = [
      ...new Set(lot.flatMap(({ job }) => job.documentId ?? [])),
    ].sort((a, b) => a - b);
    try {
      this.#onRemoving();
      await this.#db.transaction(async (tx) => {
        await deleteJobs(
          this.#db,
          tx,
          lot.map(({ job }) => job.id),
        );
        await markOvertaken(
          tx,
          lot.map(({ job }) => job),
        );
        await this.#onSettled?.(
          tx,
          lot.map(({ job }) => ({ ...job, isDone: true })),
        );
        for (const id of documents)
          await deleteUnneededDocument(this.#db, tx, id);
      });
      for (const { resolve } of lot) resolve();
    } catch (error) {
      for (const { reject } of lot) reject(error);
    }
  }
}
