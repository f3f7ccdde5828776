import { sql, type SqlBool } from "kysely";
import type { Tx } from "../../db/db.ts";
import { timestamp } from "../../lib/time/clock.ts";
import type { LeasedJob } from "../job.ts";

/**
 * Does it wait for the first job of the lane that it follows? A job behind a
 * refused one does not block it either.
 */
const LANE_GOES_FIRST = sql<SqlBool>`coalesce((
  select not earlier.steps_aside from jobs as earlier
    where earlier.lane = jobs.follows
      and earlier.id < jobs.id and earlier.state <> 'dead'
    order by earlier.id limit 1), false)`;

const BAND_GOES_FIRST = sql<SqlBool>`exists (
  select 1 from jobs as earlier where earlier.band = jobs.follows
    and earlier.id < jobs.id and earlier.state <> 'dead'
    and not earlier.steps_aside)`;

/**
 * A job may start when the earlier jobs of its lane have ended, and those that
 * it follows have ended or stepped aside.
 */
export const MAY_START = sql<SqlBool>`(jobs.lane is null or not exists (
    select 1 from jobs as earlier where earlier.lane = jobs.lane
      and earlier.id < jobs.id and earlier.state <> 'dead'))
  and (jobs.follows is null
    or not (${LANE_GOES_FIRST} or ${BAND_GOES_FIRST}))`;

/** How an attempt failed. */
export type FailedAttempt = {
  /** The time of its next attempt by its own back-off. */
  readonly ownTime: Date;
  readonly stepAside: boolean;
  /** The earliest time to which it may be brought forward; null for now. */
  readonly earliest: Date | null;
};

/**
 * Records how far a failed job may be brought forward. A job that failed after
 * it was brought forward waits for its own time, or it would be retried each
 * time its host accepts another.
 */
export async function recordFailedAttempt(
  tx: Tx,
  { id }: LeasedJob,
  { ownTime, stepAside, earliest }: FailedAttempt,
): Promise<void> {
  const free = earliest && timestamp(earliest);
  await tx
    .updateTable("jobs")
    .set({
      steps_aside: stepAside,
      not_before: sql<
        string | null
      >`case when brought_forward then ${timestamp(ownTime)} else ${free} end`,
      brought_forward: false,
    })
    .where("id", "=", id)
    .where("state", "=", "ready")
    .execute();
}
