import type { Db, Tx } from "../db/db.ts";
import { lockNames } from "../db/lock-names.ts";
import { later, type Clock } from "../lib/clock.ts";
import type { FinishedJobs } from "./finished-jobs.ts";
import type { JobResult, LeasedJob, Missing, OnSettled } from "./job.ts";
import { buryJob, postponeJob, repeatJob, type Pause } from "./settle-store.ts";

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
        const pause = await readPause(db, tx, result, clock.now());
        return postponeJob(db, tx, job, pause);
      }
      case "give_up":
        await onSettled?.(tx, [{ ...job, isDone: false }]);
        return buryJob(tx, job, result.reason);
    }
  });
}

/** Longer ones do not fit into an index of PostgreSQL. What waits for such a thing looks for it now and then. */
const MAX_NAME_BYTES = 1_000;

type Retry = Extract<JobResult, { kind: "retry" }>;

async function readPause(
  db: Db,
  tx: Tx,
  { afterMs, reason, leaveLane = false, missing }: Retry,
  now: Date,
): Promise<Pause> {
  const runAt = later(now, afterMs);
  const pause = { runAt, reason, leaveLane, awaits: null };
  if (!missing || Buffer.byteLength(missing.name) > MAX_NAME_BYTES)
    return pause;
  return (await isHereNow(db, tx, missing))
    ? { ...pause, runAt: now }
    : { ...pause, awaits: missing.name };
}

/**
 * The handler looked before it gave up, and the thing may have been stored since.
 * Whoever stores it holds its name until that is committed: either it is seen here,
 * or the waiting job is seen there.
 */
async function isHereNow(
  { dialect }: Db,
  tx: Tx,
  { name, isHere }: Missing,
): Promise<boolean> {
  await lockNames(tx, dialect, [name]);
  return isHere(tx);
}
