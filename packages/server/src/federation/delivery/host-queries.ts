import { sql } from "kysely";
import type { Reader } from "../../db/db.ts";
import { later, timestamp } from "../../lib/time/clock.ts";

/** How many remote hosts are failing, by duration. */
export type HostCounts = {
  /** Failing for less than an hour. */
  readonly failing: number;
  /** For less than a day. */
  readonly failingForHours: number;
  /** For longer. */
  readonly failingForDays: number;
};

const HOUR = 3_600_000;

export async function countHosts(
  reader: Reader,
  now: Date,
): Promise<HostCounts> {
  const hourAgo = timestamp(later(now, -HOUR));
  const dayAgo = timestamp(later(now, -24 * HOUR));
  const since = sql.ref("failing_since");
  const row = await reader
    .selectFrom("remote_hosts")
    .select(sql<number>`count(*)`.as("all"))
    .select(
      sql<number>`count(case when ${since} < ${hourAgo} then 1 end)`.as("hour"),
    )
    .select(
      sql<number>`count(case when ${since} < ${dayAgo} then 1 end)`.as("day"),
    )
    .where("failing_since", "is not", null)
    .limit(1)
    .executeTakeFirst();
  const [all, hour, day] = [row?.all, row?.hour, row?.day].map((n) =>
    Number(n ?? 0),
  ) as [number, number, number];
  return {
    failing: all - hour,
    failingForHours: hour - day,
    failingForDays: day,
  };
}
