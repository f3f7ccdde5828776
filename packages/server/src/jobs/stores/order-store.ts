import { sql, type SqlBool } from "kysely";
import type { Tx } from "../../db/db.ts";
import { timestamp } from "../../lib/time/clock.ts";
import type { LeasedJob } from "../job.ts";

/** Whether it waits for the first of the lane that it follows: what stands behind one that is refused lets it pass, too. */
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
 * A job is not started before those that came earlier in its lane have ended, nor
 * before those that it follows, unless these have stepped aside.
 */
export const MAY_START = sql<SqlBool>`(jobs.lane is null or not exists (
    select 1 from jobs as earlier where earlier.lane = jobs.lane
      and earlier.id < jobs.id and earlier.state <> 'dead'))
  and (jobs.follows is null
    or not (${LANE_GOES_FIRST} or ${BAND_GOES_FIRST}))`;

/** How an attempt failed. */
export type FailedAttempt = {
  /** When it would be tried again by its own schedule. */
  readonly ownTime: Date;
  readonly stepAside: boolean;
  /** When it may be brought forward at the earliest; null for at once. */
  readonly earliest: Date | null;
};

/**
 * Notes of a job that was given back how far it may be brought forward. Who failed
 * after having been brought forward waits its own time, or it would be tried
 * whenever its host takes something else.
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
