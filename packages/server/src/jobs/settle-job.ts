import type { Db } from "../db/db.ts";
import { later, type Clock } from "../lib/clock.ts";
import type { FinishedJobs } from "./finished-jobs.ts";
import type { JobResult, LeasedJob, OnSettled } from "./job.ts";
import { buryJob, postponeJob, repeatJob } from "./settle-store.ts";

type SettleDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly onSettled?: OnSettled;
};

/** Writes down what came of a job. Resolves when that is durable. */
export async function settleJob(
  { db, clock, onSettled }: SettleDeps,
  finished: FinishedJobs,
  job: LeasedJob,
  result: JobResult,
): Promise<void> {
  if (result.kind === "done") return finished.remove(job);
  await db.transaction(async (tx) => {
    switch (result.kind) {
      case "again":
        return repeatJob(tx, job, later(clock.now(), result.afterMs));
      case "retry": {
        const { reason, leaveLane = false } = result;
        const runAt = later(clock.now(), result.afterMs);
        return postponeJob(db, tx, job, runAt, reason, leaveLane);
      }
      case "give_up":
        await onSettled?.(tx, [{ ...job, isDone: false }]);
        return buryJob(tx, job, result.reason);
    }
  });
}
