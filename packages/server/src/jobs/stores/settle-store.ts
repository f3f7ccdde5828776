import type { UpdateObject } from "kysely";
import type { Db, Tx } from "../../db/db.ts";
import type { Database } from "../../db/schema/schema.ts";
import { timestamp } from "../../lib/time/clock.ts";
import { lockInIdOrder } from "./host-queue-store.ts";
import type { LeasedJob } from "../job.ts";
import { isUnderLease } from "./lease-rows.ts";

/** How a job is released for another attempt. */
export type Pause = {
  readonly runAt: Date;
  readonly reason: string;
  readonly leaveLane: boolean;
  /** The names that wake it before its time. */
  readonly awaits: string | null;
};

/**
 * Ends a lease. Where the job was leased again meanwhile, or is gone, the
 * result is stale and nothing is settled. Where the lease was only released, no
 * other run has begun, and the result is stored.
 * @returns whether the job was settled
 */
async function endLease(
  tx: Tx,
  job: LeasedJob,
  values: UpdateObject<Database, "jobs">,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("jobs")
    .set({
      leased_by: null,
      lease_until: null,
      unsettled_leases: 0,
      awaits: null,
      ...values,
    })
    .where(isUnderLease(job))
    .where("state", "<>", "dead")
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Postpones a job to `runAt`, and the jobs behind it in its lane, or every poll
 * would scan them.
 */
export async function postponeJob(
  db: Db,
  tx: Tx,
  job: LeasedJob,
  { runAt, reason, leaveLane, awaits }: Pause,
): Promise<boolean> {
  const until = timestamp(runAt);
  const isSettled = await endLease(tx, job, {
    ...{ state: "ready", run_at: until, turn: until, awaits },
    last_error: storable(reason),
    ...(leaveLane ? { lane: null } : {}),
  });
  if (isSettled && job.lane !== null && !leaveLane)
    await postponeLane(db, tx, job.lane, until);
  return isSettled;
}

/** A longer reason says no more. */
const MAX_REASON = 2_000;

/** A reason may quote a remote server: PostgreSQL stores no NUL. */
function storable(reason: string): string {
  return reason.slice(0, MAX_REASON).replaceAll("\0", " ").toWellFormed();
}

/** Makes the waiting jobs of a lane due no earlier than then. */
export async function postponeLane(
  db: Db,
  tx: Tx,
  lane: string,
  until: string,
): Promise<void> {
  const behind = tx
    .selectFrom("jobs")
    .select("id")
    .where("lane", "=", lane)
    .where("state", "=", "ready")
    .where("run_at", "<", until);
  await tx
    .updateTable("jobs")
    .set({ run_at: until, turn: until })
    .where("id", "in", lockInIdOrder(db, behind))
    .execute();
}

/**
 * Ends a job without success. It stays for a while, for inspection and manual
 * retry.
 */
export function markJobDead(
  tx: Tx,
  job: LeasedJob,
  reason: string,
  now: Date,
): Promise<boolean> {
  return endLease(tx, job, {
    state: "dead",
    died_at: timestamp(now),
    last_error: storable(reason),
  });
}

/** Reschedules a successful job for `runAt`, with its attempts reset. */
export function repeatJob(
  tx: Tx,
  job: LeasedJob,
  runAt: Date,
): Promise<boolean> {
  const until = timestamp(runAt);
  return endLease(tx, job, {
    ...{ state: "ready", attempts: 0, run_at: until, turn: until },
    last_error: null,
  });
}
