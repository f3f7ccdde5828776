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

/** As many parameters has one statement at most. */
const MAX_LOT = 200;

/** Removes finished jobs, those that finish at about the same time in one transaction. */
export class FinishedJobs {
  readonly #db: Db;
  readonly #onSettled: OnSettled | undefined;
  #waiting: Waiting[] = [];
  #isRemoving = false;

  constructor(db: Db, onSettled: OnSettled | undefined) {
    this.#db = db;
    this.#onSettled = onSettled;
  }

  /** Resolves when it is durable that the job is done. */
  remove(job: LeasedJob): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ job, resolve, reject });
      if (this.#isRemoving) return;
      this.#isRemoving = true;
      // The others whose answers came in the same turn of the loop join.
      setImmediate(() => void this.#removeAll());
    });
  }

  async #removeAll(): Promise<void> {
    while (this.#waiting.length > 0)
      await this.#removeLot(this.#waiting.splice(0, MAX_LOT));
    this.#isRemoving = false;
  }

  async #removeLot(lot: readonly Waiting[]): Promise<void> {
    // In one order, so that two workers who remove documents wait for each other and do not lock up.
    const documents = [
      ...new Set(lot.flatMap(({ job }) => job.documentId ?? [])),
    ].sort((a, b) => a - b);
    try {
      await this.#db.transaction(async (tx) => {
        await deleteJobs(
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
