import type { UpdateObject } from "kysely";
import type { Db, Tx } from "../../db/db.ts";
import type { Database } from "../../db/schema/schema.ts";
import { timestamp } from "../../lib/time/clock.ts";
import { lockInIdOrder } from "./host-queue-store.ts";
import type { LeasedJob } from "../job.ts";
import { isUnderLease } from "./lease-rows.ts";

/** How a job is given back. */
export type Pause = {
  readonly runAt: Date;
  readonly reason: string;
  readonly leaveLane: boolean;
  /** What it runs before its time for. */
  readonly awaits: string | null;
};

/**
 * Ends a lease. Where the job was leased again meanwhile, or is gone, nothing is
 * settled: what came of this run is stale. Where it was only given back, nobody has
 * begun anew, and what came of the run is kept.
 * @returns whether it was settled
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
 * Gives a job back until `runAt`. What waits behind it in its lane is put off as
 * well, or every look for due jobs would wade through it.
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

/** Longer ones say no more. */
const MAX_REASON = 2_000;

/** Words of others may stand in a reason: PostgreSQL stores no NUL. */
function storable(reason: string): string {
  return reason.slice(0, MAX_REASON).replaceAll("\0", " ").toWellFormed();
}

/** The jobs of a lane that are ready are due then at the earliest. */
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

/** Ends a job without success. It stays for a while, to be looked at and retried by hand. */
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

/** Gives a job that went well back until `runAt`, as if it had never been tried. */
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
