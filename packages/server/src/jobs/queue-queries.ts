import { sql } from "kysely";
import type { Reader } from "../db/db.ts";
import type { Timestamp } from "../lib/clock.ts";

/** How many jobs of one kind are in one state. */
export type JobCount = {
  readonly kind: string;
  /** `ready` waits, `leased` runs, `dead` has been given up. */
  readonly state: string;
  readonly count: number;
  /** When the oldest was put in. */
  readonly oldestAt: Timestamp;
  /** When the first is due, or was. */
  readonly nextAt: Timestamp;
};

/** There are about twenty kinds, in three states each. */
const MAX_COUNTS = 500;

/** Looks at every job: for operators, not for each request. */
export async function countJobs(reader: Reader): Promise<JobCount[]> {
  const rows = await reader
    .selectFrom("jobs")
    .select(["kind", "state"])
    .select(sql<number>`count(*)`.as("count"))
    .select((eb) => eb.fn.min("created_at").as("oldest_at"))
    .select((eb) => eb.fn.min("run_at").as("next_at"))
    .groupBy(["kind", "state"])
    .orderBy("kind")
    .orderBy("state")
    .limit(MAX_COUNTS)
    .execute();
  return rows.map((row) => ({
    kind: row.kind,
    state: row.state,
    count: Number(row.count),
    oldestAt: row.oldest_at,
    nextAt: row.next_at,
  }));
}
