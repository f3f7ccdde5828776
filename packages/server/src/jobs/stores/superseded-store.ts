import { sql } from "kysely";
import type { Tx } from "../../db/db.ts";
import { byIndex, rowsIn } from "../../db/dialect.ts";
import { dialectOf, prepareQuery } from "../../db/prepared-query.ts";
import type { LeasedJob } from "../job.ts";

/**
 * In the order of ids, so that concurrent writers wait instead of deadlocking.
 */
const LOCK = { sqlite: sql``, postgres: sql`for update of jobs` } as const;

/**
 * Marks the dead jobs before each of these ids in its lane; the other earlier
 * jobs are done. One statement marks any number, and its index holds no job
 * that is marked already.
 */
const markDeadBefore = prepareQuery<{ lanes: string }, unknown>(
  (reader, value) => {
    const dialect = dialectOf(reader);
    return sql`update jobs set overtaken = true where id in (
      select jobs.id from ${rowsIn(dialect, value("lanes"))}
      join jobs ${byIndex(dialect, "jobs_dead_in_lane")}
        on jobs.lane = given.value ->> 0
        and jobs.id < cast(given.value ->> 1 as bigint)
      where jobs.state = 'dead' and not jobs.overtaken
        and jobs.lane is not null
      order by jobs.id ${LOCK[dialect]})`.compile(reader);
  },
);

/**
 * Marks dead jobs as superseded when later jobs of their lanes are done: a
 * retry would redo the past, such as sending a post after its retraction.
 */
export async function markSuperseded(
  tx: Tx,
  done: readonly LeasedJob[],
): Promise<void> {
  const newest = new Map<string, number>();
  for (const { id, lane } of done)
    if (lane !== null) newest.set(lane, Math.max(id, newest.get(lane) ?? 0));
  if (newest.size === 0) return;
  await markDeadBefore(tx, { lanes: JSON.stringify([...newest]) });
}
