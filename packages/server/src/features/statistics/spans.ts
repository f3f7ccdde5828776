import type { StatisticName } from "../../db/schema/columns/statistic-name.ts";

/**
 * How a statistic of a day comes from its hours, and that of a month from its days: it is their
 * sum, or the greatest. People who were `seen` are counted anew for each span.
 */
export const COMBINED = {
  people: "seen",
  posts: "sum",
  comments: "sum",
  messages: "sum",
  refused_messages: "sum",
  delivered: "sum",
  failed: "sum",
  waiting_jobs: "most",
  database_bytes: "most",
  upload_bytes: "most",
  remote_media_bytes: "most",
  reports: "sum",
  decisions: "sum",
} as const satisfies Record<StatisticName, "most" | "seen" | "sum">;

/** The statistics that a process counts in memory. */
export type Counted = "delivered" | "failed" | "messages" | "refused_messages";

export type Span = "hour" | "day" | "month";

const HOUR_MS = 3_600_000;

/** The beginning of the span that holds this moment, in UTC. */
export function startOf(span: Span, date: Date): Date {
  if (span === "hour")
    return new Date(Math.floor(date.getTime() / HOUR_MS) * HOUR_MS);
  const day = span === "month" ? 1 : date.getUTCDate();
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), day));
}

/** The beginning of the span that is `count` spans after the one at `date`. */
export function addSpans(span: Span, date: Date, count: number): Date {
  if (span === "hour") return new Date(date.getTime() + count * HOUR_MS);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return span === "month"
    ? new Date(Date.UTC(year, month + count, 1))
    : new Date(Date.UTC(year, month, date.getUTCDate() + count));
}

/** @returns undefined for none */
export function combine(
  name: StatisticName,
  values: readonly number[],
): number | undefined {
  if (values.length === 0) return undefined;
  return COMBINED[name] === "sum"
    ? values.reduce((sum, value) => sum + value, 0)
    : Math.max(...values);
}
