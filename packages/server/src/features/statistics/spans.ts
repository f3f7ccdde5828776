import type { StatisticName } from "../../db/schema/columns/statistic-name.ts";

/**
 * How the hours of a number make up a day, and its days a month: by their sum, or by
 * the greatest one. `seen` counts anew for each span: a person of two days is one of the month.
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

/** Those that are counted as it happens. */
export type Counted = "delivered" | "failed" | "messages" | "refused_messages";

export const SPANS = ["hour", "day", "month"] as const;
export type Span = (typeof SPANS)[number];

const HOUR_MS = 3_600_000;

/** When the span begins that holds this moment. All spans are those of UTC. */
export function startOf(span: Span, date: Date): Date {
  if (span === "hour")
    return new Date(Math.floor(date.getTime() / HOUR_MS) * HOUR_MS);
  const day = span === "month" ? 1 : date.getUTCDate();
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), day));
}

/** The beginning of the span so many spans after one that begins at `date`. */
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
