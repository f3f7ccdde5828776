import { sql } from "kysely";
import type { Tx } from "../db/db.ts";
import { byIndex, rowsIn } from "../db/dialect.ts";
import { dialectOf, prepareQuery } from "../db/prepared-query.ts";
import type { LeasedJob } from "./job.ts";

/** Of lanes, each with an id, those before it: what else came earlier has been done. */
const findDeadBefore = prepareQuery<{ lanes: string }, { id: number }>(
  (reader, value) => {
    const dialect = dialectOf(reader);
    return sql<{ id: number }>`select jobs.id
      from ${rowsIn(dialect, value("lanes"))}
      join jobs ${byIndex(dialect, "jobs_lane")}
        on jobs.lane = given.value ->> 0
        and jobs.id < cast(given.value ->> 1 as bigint)
      where jobs.state = 'dead'`.compile(reader);
  },
);

/**
 * Notes which dead jobs are overtaken when these are done: tried again, they
 * would do what is past, such as to send a post after its retraction.
 */
export async function markOvertaken(
  tx: Tx,
  done: readonly LeasedJob[],
): Promise<void> {
  const newest = new Map<string, number>();
  for (const { id, lane } of done)
    if (lane !== null) newest.set(lane, Math.max(id, newest.get(lane) ?? 0));
  if (newest.size === 0) return;
  const lanes = JSON.stringify([...newest]);
  const dead = await findDeadBefore(tx, { lanes });
  if (dead.length === 0) return;
  await tx
    .updateTable("jobs")
    .set({ overtaken: true })
    .where(
      "id",
      "in",
      dead.map(({ id }) => id),
    )
    .execute();
}
