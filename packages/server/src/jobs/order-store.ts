import { sql, type SqlBool } from "kysely";
import type { Tx } from "../db/db.ts";
import { timestamp } from "../lib/clock.ts";
import type { LeasedJob } from "./job.ts";

/** Those that were refused alone let others pass. */
const goesFirst = (column: "lane" | "band") => sql`exists (
  select 1 from jobs as earlier where earlier.${sql.ref(column)} = jobs.follows
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
    or not (${goesFirst("lane")} or ${goesFirst("band")}))`;

/** How an attempt failed. */
export type FailedAttempt = {
  /** When it would be tried again by its own schedule. */
  readonly ownTime: Date;
  readonly stepAside: boolean;
  readonly isFirm: boolean;
};

/**
 * Notes of a job that was given back how far it may be brought forward. Who failed
 * after having been brought forward waits its own time, or it would be tried
 * whenever its host takes something else.
 */
export async function noteFailedAttempt(
  tx: Tx,
  { id }: LeasedJob,
  { ownTime, stepAside, isFirm }: FailedAttempt,
): Promise<void> {
  const time = timestamp(ownTime);
  await tx
    .updateTable("jobs")
    .set({
      steps_aside: stepAside,
      not_before: isFirm
        ? time
        : sql<string | null>`case when brought_forward then ${time} end`,
      brought_forward: false,
    })
    .where("id", "=", id)
    .where("state", "=", "ready")
    .execute();
}
