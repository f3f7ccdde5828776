import type { Db, Tx } from "../../db/db.ts";
import { lockNames } from "../../db/lock-names.ts";
import { later, type Clock } from "../../lib/time/clock.ts";
import type { FinishedJobs } from "./finished-jobs.ts";
import type { JobResult, LeasedJob, Missing, OnSettled } from "../job.ts";
import {
  recordFailedAttempt,
  type FailedAttempt,
} from "../stores/order-store.ts";
import {
  markJobDead,
  postponeJob,
  repeatJob,
  type Pause,
} from "../stores/settle-store.ts";

type SettleDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly onSettled?: OnSettled;
};

/**
 * Stores the result of a job. Resolves when that is durable.
 * @returns false if another worker has taken the lease, so that nothing was
 *   written
 */
export async function settleJob(
  { db, clock, onSettled }: SettleDeps,
  finished: FinishedJobs,
  job: LeasedJob,
  result: JobResult,
): Promise<boolean> {
  if (result.kind === "done") return finished.remove(job);
  return db.transaction(async (tx) => {
    const now = clock.now();
    switch (result.kind) {
      case "again":
        return repeatJob(tx, job, later(now, clampPauseMs(result.afterMs)));
      case "retry": {
        const pause = await readPause(db, tx, result, now);
        if (!(await postponeJob(db, tx, job, pause))) return false;
        await recordFailedAttempt(tx, job, readFailure(result, now));
        return true;
      }
      case "give_up": {
        if (!(await markJobDead(tx, job, result.reason, now))) return false;
        // The listener could not tell what an unreadable payload was about.
        if (job.unreadable === undefined)
          await onSettled?.(tx, [{ ...job, isDone: false }]);
        return true;
      }
    }
  });
}

/**
 * Ends a job whose result cannot be stored; otherwise it would run for ever. It
 * calls no listener, since that may be the cause of the failure.
 */
export function settleUnstorable(
  { db, clock }: SettleDeps,
  job: LeasedJob,
  {
    reason,
    retryAfterMs,
  }: { readonly reason: string; readonly retryAfterMs: number | undefined },
): Promise<boolean> {
  return db.transaction((tx) => {
    const now = clock.now();
    if (retryAfterMs === undefined) return markJobDead(tx, job, reason, now);
    const runAt = later(now, retryAfterMs);
    const pause = { runAt, reason, leaveLane: false, awaits: null };
    return postponeJob(db, tx, job, pause);
  });
}

/**
 * A longer name does not fit into an index of PostgreSQL. A job that waits for
 * such a thing is retried by its back-off.
 */
const MAX_NAME_BYTES = 1_000;

const MAX_PAUSE_MS = 366 * 86_400_000;

/**
 * A handler may compute a pause from remote input: it may be no number, or too
 * long.
 */
function clampPauseMs(afterMs: number): number {
  if (Number.isNaN(afterMs)) return 3_600_000;
  return Math.min(Math.max(afterMs, 0), MAX_PAUSE_MS);
}

type Retry = Extract<JobResult, { kind: "retry" }>;

async function readPause(
  db: Db,
  tx: Tx,
  { afterMs, hostAfterMs = 0, reason, leaveLane = false, missing }: Retry,
  now: Date,
): Promise<Pause> {
  const runAt = later(now, clampPauseMs(Math.max(afterMs, hostAfterMs)));
  const pause = { runAt, reason, leaveLane, awaits: null };
  if (!missing || !isStorable(missing.name)) return pause;
  return (await isHereNow(db, tx, missing))
    ? { ...pause, runAt: now }
    : { ...pause, awaits: missing.name };
}

const isStorable = (name: string): boolean =>
  Buffer.byteLength(name) <= MAX_NAME_BYTES && !name.includes("\0");

function readFailure(
  { afterMs, stepAside = false, leastMs = 0 }: Retry,
  now: Date,
): FailedAttempt {
  const earliest = leastMs > 0 ? later(now, clampPauseMs(leastMs)) : null;
  return { ownTime: later(now, clampPauseMs(afterMs)), stepAside, earliest };
}

/**
 * The handler looked before it failed, and the thing may have been stored
 * since. The transaction that stores it locks its name until the commit: either
 * it is seen here, or the waiting job is seen there.
 */
async function isHereNow(
  { dialect }: Db,
  tx: Tx,
  { name, isHere }: Missing,
): Promise<boolean> {
  await lockNames(tx, dialect, [name]);
  return isHere(tx);
}
