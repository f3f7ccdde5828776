import type { Db } from "../db/db.ts";
import { later, type Clock } from "../lib/clock.ts";
import type { FinishedJobs } from "./finished-jobs.ts";
import { buryJob, postponeJob, repeatJob } from "./job-store.ts";
import type { JobResult, LeasedJob } from "./job.ts";

/** Writes down what came of a job. Resolves when that is durable. */
export async function settleJob(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
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
        return buryJob(tx, job, result.reason);
    }
  });
}
