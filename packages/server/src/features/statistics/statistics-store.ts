import type { Reader, Tx } from "../../db/db.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { StatisticName } from "../../db/schema/columns/statistic-name.ts";
import type { Span } from "./spans.ts";

export type Statistic = {
  readonly name: StatisticName;
  readonly span: Span;
  readonly at: Timestamp;
  readonly value: number;
};

/** Adds the values to those that their spans have. */
export async function addStatistics(
  tx: Tx,
  rows: readonly Statistic[],
): Promise<void> {
  if (rows.length === 0) return;
  await tx
    .insertInto("statistics")
    .values([...rows])
    .onConflict((conflict) =>
      conflict.columns(["name", "span", "at"]).doUpdateSet((eb) => ({
        value: eb("statistics.value", "+", eb.ref("excluded.value")),
      })),
    )
    .execute();
}

/** Replaces the values that their spans have. */
export async function saveStatistics(
  tx: Tx,
  rows: readonly Statistic[],
): Promise<void> {
  if (rows.length === 0) return;
  await tx
    .insertInto("statistics")
    .values([...rows])
    .onConflict((conflict) =>
      conflict
        .columns(["name", "span", "at"])
        .doUpdateSet((eb) => ({ value: eb.ref("excluded.value") })),
    )
    .execute();
}

/** From a beginning up to, but not including, an end; in the order of time. */
export async function listStatistics(
  reader: Reader,
  span: Span,
  range: { readonly from: Timestamp; readonly to: Timestamp },
): Promise<Statistic[]> {
  const rows = await reader
    .selectFrom("statistics")
    .selectAll()
    .where("span", "=", span)
    .where("at", ">=", range.from)
    .where("at", "<", range.to)
    .orderBy("at")
    .execute();
  return rows.map((row) => ({ ...row, value: Number(row.value) }));
}

/** The beginning of the newest recorded hour of a statistic. */
export async function findNewestHour(
  reader: Reader,
  name: StatisticName,
): Promise<Timestamp | undefined> {
  const row = await reader
    .selectFrom("statistics")
    .select("at")
    .where("name", "=", name)
    .where("span", "=", "hour")
    .orderBy("at", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.at;
}

export async function deleteStatisticsBefore(
  tx: Tx,
  span: Span,
  time: Timestamp,
): Promise<void> {
  await tx
    .deleteFrom("statistics")
    .where("span", "=", span)
    .where("at", "<", time)
    .execute();
}

export type HostDeliveries = {
  readonly host: string;
  readonly delivered: number;
  readonly failed: number;
};

/** Rows in one statement: below the limit for its parameters. */
const HOSTS_AT_ONCE = 500;

/** @param day `YYYY-MM-DD` */
export async function addHostDeliveries(
  tx: Tx,
  day: string,
  rows: readonly HostDeliveries[],
): Promise<void> {
  for (let from = 0; from < rows.length; from += HOSTS_AT_ONCE)
    await tx
      .insertInto("host_deliveries")
      .values(
        rows.slice(from, from + HOSTS_AT_ONCE).map((row) => ({ ...row, day })),
      )
      .onConflict((conflict) =>
        conflict.columns(["host", "day"]).doUpdateSet((eb) => ({
          delivered: eb(
            "host_deliveries.delivered",
            "+",
            eb.ref("excluded.delivered"),
          ),
          failed: eb("host_deliveries.failed", "+", eb.ref("excluded.failed")),
        })),
      )
      .execute();
}

/** The servers with the most failures since a day, the worst first. */
export async function listFailingHosts(
  reader: Reader,
  sinceDay: string,
  limit: number,
): Promise<HostDeliveries[]> {
  const rows = await reader
    .selectFrom("host_deliveries")
    .select(({ fn }) => [
      "host",
      fn.sum<number>("delivered").as("delivered"),
      fn.sum<number>("failed").as("failed"),
    ])
    .where("day", ">=", sinceDay)
    .groupBy("host")
    .having(({ fn }) => fn.sum<number>("failed"), ">", 0)
    .orderBy("failed", "desc")
    .orderBy("host")
    .limit(limit)
    .execute();
  return rows.map(({ host, delivered, failed }) => ({
    host,
    delivered: Number(delivered),
    failed: Number(failed),
  }));
}

export async function deleteHostDeliveriesBefore(
  tx: Tx,
  day: string,
): Promise<void> {
  await tx.deleteFrom("host_deliveries").where("day", "<", day).execute();
}
