import type { Db, Reader } from "../../db/db.ts";
import {
  STATISTICS,
  type StatisticName,
} from "../../db/schema/columns/statistic-name.ts";
import { recurringKind, type JobHandler } from "../../jobs/job.ts";
import { timestamp, type Clock } from "../../lib/time/clock.ts";
import { addSpans, combine, COMBINED, startOf, type Span } from "./spans.ts";
import {
  countDecisions,
  countReports,
  countSeenSince,
  countWritten,
} from "./statistics-queries.ts";
import {
  deleteHostDeliveriesBefore,
  deleteStatisticsBefore,
  findNewestHour,
  listStatistics,
  saveStatistics,
  type Statistic,
} from "./statistics-store.ts";

/** The job that records the numbers of the current hour, day and month. */
export const RECORD_STATISTICS = recurringKind("record-statistics");

const EVERY_MS = 5 * 60_000;
/** After an outage, so many hours are counted afterwards. */
const MAX_CAUGHT_UP = 48;
const HOURS_KEPT = 14 * 24;
const DAYS_KEPT = 800;
const HOST_DAYS_KEPT = 30;

export type RecordDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly flush: () => Promise<void>;
  readonly countWaiting: () => Promise<number>;
  /** Looks at every file. */
  readonly measureStorage: () => Promise<{
    readonly database: { readonly bytes: number };
    readonly uploads: { readonly bytes: number };
    readonly remoteMedia: { readonly bytes: number };
  }>;
};

/** Counting again gives the same numbers, however often the job runs. */
export function createRecordStatistics(
  deps: RecordDeps,
): JobHandler<Record<string, never>> {
  return async () => {
    await deps.flush();
    const now = deps.clock.now();
    const hours = [
      ...(await countHours(deps, now)),
      ...(await measure(deps, now)),
    ];
    await deps.db.transaction((tx) => saveStatistics(tx, hours));
    for (const span of ["day", "month"] as const)
      for (const start of currentAndLast(span, now)) {
        const rows = await combineSpan(deps, span, start, now);
        await deps.db.transaction((tx) => saveStatistics(tx, rows));
      }
    await forget(deps, now);
    return { kind: "again", afterMs: EVERY_MS };
  };
}

/** The span before, too: its last minutes may be recorded late. */
function currentAndLast(span: Span, now: Date): Date[] {
  const start = startOf(span, now);
  return [addSpans(span, start, -1), start];
}

/** Counts in the database what was done since the last hour that was recorded. */
async function countHours({ db }: RecordDeps, now: Date): Promise<Statistic[]> {
  const current = startOf("hour", now);
  const newest = await findNewestHour(db.read, "posts");
  const earliest = addSpans("hour", current, -MAX_CAUGHT_UP);
  const last = addSpans("hour", current, -1);
  const known =
    newest === undefined ? last : addSpans("hour", new Date(newest), -1);
  const rows: Statistic[] = [];
  let from = known < earliest ? earliest : known;
  for (; from <= current; from = addSpans("hour", from, 1))
    rows.push(...(await countHour(db.read, from)));
  return rows;
}

async function countHour(reader: Reader, from: Date): Promise<Statistic[]> {
  const to = addSpans("hour", from, 1);
  const [begin, end] = [timestamp(from), timestamp(to)];
  const counted = {
    posts: await countWritten(reader, "posts", { from, to }),
    comments: await countWritten(reader, "comments", { from, to }),
    reports: await countReports(reader, begin, end),
    decisions: await countDecisions(reader, begin, end),
  };
  return rowsOf(counted, "hour", from);
}

/** Measures the queue each time, the files once an hour. */
async function measure(deps: RecordDeps, now: Date): Promise<Statistic[]> {
  const from = startOf("hour", now);
  const range = {
    from: timestamp(from),
    to: timestamp(addSpans("hour", from, 1)),
  };
  const known = await listStatistics(deps.db.read, "hour", range);
  const valueOf = (name: StatisticName) =>
    known.find((row) => row.name === name)?.value;
  const waiting = await deps.countWaiting();
  const queue = {
    waiting_jobs: Math.max(waiting, valueOf("waiting_jobs") ?? 0),
  };
  if (valueOf("database_bytes") !== undefined)
    return rowsOf(queue, "hour", from);
  const { database, uploads, remoteMedia } = await deps.measureStorage();
  const storage = {
    database_bytes: database.bytes,
    upload_bytes: uploads.bytes,
    remote_media_bytes: remoteMedia.bytes,
  };
  return rowsOf({ ...queue, ...storage }, "hour", from);
}

/** A day from its hours, or a month from its days. */
async function combineSpan(
  { db }: RecordDeps,
  span: "day" | "month",
  start: Date,
  now: Date,
): Promise<Statistic[]> {
  const end = addSpans(span, start, 1);
  const range = { from: timestamp(start), to: timestamp(end) };
  const parts = await listStatistics(
    db.read,
    span === "day" ? "hour" : "day",
    range,
  );
  const bySeries = Map.groupBy(parts, ({ name }) => name);
  const values: Partial<Record<StatisticName, number>> = {};
  for (const name of STATISTICS) {
    if (COMBINED[name] === "seen") continue;
    const of = bySeries.get(name) ?? [];
    const value = combine(
      name,
      of.map((part) => part.value),
    );
    if (value !== undefined) values[name] = value;
  }
  // A person who comes after its end no longer counts for it.
  if (end > now) values.people = await countSeenSince(db.read, range.from);
  return rowsOf(values, span, start);
}

function rowsOf(
  values: Partial<Readonly<Record<StatisticName, number>>>,
  span: Span,
  start: Date,
): Statistic[] {
  const at = timestamp(start);
  return STATISTICS.flatMap((name) => {
    const value = values[name];
    return value === undefined ? [] : [{ name, span, at, value }];
  });
}

async function forget({ db }: RecordDeps, now: Date): Promise<void> {
  const before = (span: Span, count: number) =>
    timestamp(addSpans(span, startOf(span, now), -count));
  const firstDay = before("day", HOST_DAYS_KEPT).slice(0, "YYYY-MM-DD".length);
  await db.transaction(async (tx) => {
    await deleteStatisticsBefore(tx, "hour", before("hour", HOURS_KEPT));
    await deleteStatisticsBefore(tx, "day", before("day", DAYS_KEPT));
    await deleteHostDeliveriesBefore(tx, firstDay);
  });
}
