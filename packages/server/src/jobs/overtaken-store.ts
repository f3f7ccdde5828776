import { sql } from "kysely";
import type { Tx } from "../db/db.ts";
import { byIndex, isOneOf } from "../db/dialect.ts";
import { dialectOf, prepareQuery } from "../db/prepared-query.ts";
import type { LeasedJob } from "./job.ts";

const findDead = prepareQuery<
  { lanes: string },
  { id: number; lane: string | null }
>((reader, value) => {
  const dialect = dialectOf(reader);
  return sql<{ id: number; lane: string | null }>`select id, lane
    from jobs ${byIndex(dialect, "jobs_lane")}
    where ${isOneOf(dialect, "lane", value("lanes"))} and state = 'dead'`.compile(
    reader,
  );
});

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
  const dead = await findDead(tx, {
    lanes: JSON.stringify([...newest.keys()]),
  });
  const ids = dead
    .filter(({ id, lane }) => id < (newest.get(lane ?? "") ?? 0))
    .map(({ id }) => id);
  if (ids.length === 0) return;
  await tx
    .updateTable("jobs")
    .set({ overtaken: true })
    .where("id", "in", ids)
    .execute();
}
