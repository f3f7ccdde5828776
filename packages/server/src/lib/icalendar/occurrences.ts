import type { RRuleTemporal } from "rrule-temporal";
import { timestamp, type Timestamp } from "../time/clock.ts";
import { addDays, endOfDay, midnightOf } from "../time/datetime.ts";
import { partsOf } from "./recurrence-rule.ts";
import { recurrenceRules } from "./libraries.ts";

/** Of an event: an instant, or `YYYY-MM-DD` for one that lasts all day. */
type When = string;

/** One event of a series that differs from the others. */
export type ChangedOccurrence = {
  /** When it would have begun. */
  readonly at: When;
  readonly start: When;
  readonly end: When | null;
  readonly allDay: boolean;
  readonly summary: string;
  readonly description: string;
  readonly location: string;
  readonly isCancelled: boolean;
};

/** How an event repeats. */
export type Recurrence = {
  /** The value of an `RRULE` that was checked. */
  readonly rule: string | null;
  readonly added: readonly When[];
  readonly removed: readonly When[];
  readonly changed: readonly ChangedOccurrence[];
};

export type Series = {
  readonly allDay: boolean;
  readonly start: When;
  /** Of one that lasts all day, its last day; null for a single one. */
  readonly end: When | null;
  /** IANA name: the clock by which it repeats. */
  readonly timeZone: string;
  readonly recurrence: Recurrence;
};

export type Occurrence = {
  /** When the series has it begin: its name within the series. */
  readonly at: When;
  readonly start: When;
  readonly end: When | null;
  readonly changed?: ChangedOccurrence;
};

/** From the first instant to the one after the last. */
export type Range = { readonly from: Timestamp; readonly to: Timestamp };

/** The library computes some fifty in a millisecond. */
const MAX_ITERATIONS = 5_000;
const YEAR_MS = 366 * 86_400_000;
/** Ends of series without one. */
export const FOR_EVER: Timestamp = "9999-12-31T23:59:59.999Z";

/**
 * The occurrences of a series that overlap a range, ordered by their start: at most `max`, and
 * none where the rule takes too long to compute.
 */
export function listOccurrences(
  series: Series,
  { from, to }: Range,
  max: number,
): Occurrence[] {
  const { recurrence } = series;
  const changed = new Map(recurrence.changed.map((it) => [it.at, it]));
  const removed = new Set(recurrence.removed);
  const lengthMs = lengthOf(series);
  const enough = max + removed.size + changed.size;
  const begins = new Set<When>();
  // An occurrence may have been moved into the range from anywhere.
  for (const at of changed.keys()) begins.add(at);
  for (const at of [series.start, ...recurrence.added]) begins.add(at);
  const since = timestamp(new Date(Date.parse(from) - lengthMs));
  for (const at of ruled(series, { from: since, to }, enough)) begins.add(at);
  return [...begins]
    .filter((at) => !removed.has(at))
    .map((at) => occurrenceOf(series, at, changed.get(at), lengthMs))
    .filter((it) => overlaps(it, series.allDay, { from, to }))
    .sort((one, other) => (one.start < other.start ? -1 : 1))
    .slice(0, max);
}

/** The first instant at which all of a series is over; `FOR_EVER` if it has no end. */
export function seriesOver(series: Series): Timestamp {
  const { allDay, recurrence } = series;
  const lengthMs = lengthOf(series);
  const last = lastBegin(series);
  if (last === undefined) return FOR_EVER;
  const ends = [series.start, ...recurrence.added, last].map((at) =>
    overOf(occurrenceOf(series, at, undefined, lengthMs), allDay),
  );
  const moved = recurrence.changed.map((it) => overOf(it, it.allDay));
  return [...ends, ...moved].sort().at(-1) ?? FOR_EVER;
}

/** @returns undefined for a series without an end */
function lastBegin(series: Series): When | undefined {
  const { rule } = series.recurrence;
  if (rule === null) return series.start;
  const parts = partsOf(rule);
  const until = untilOf(series, parts.get("UNTIL"));
  if (until !== undefined)
    return series.allDay ? until.slice(0, DATE_LENGTH) : until;
  if (!parts.has("COUNT")) return undefined;
  const all = bounded(() => engineOf(series, rule).all());
  const last = all?.at(-1);
  return last === undefined ? series.start : whenOf(series, last);
}

/** The dates of the rule, computed in one window after the other. */
function ruled(series: Series, range: Range, max: number): When[] {
  const { rule } = series.recurrence;
  if (rule === null) return [];
  const engine = engineOf(series, rule);
  // The library counts from the start each time: one computation is enough.
  if (partsOf(rule).has("COUNT"))
    return (bounded(() => engine.all()) ?? []).map((at) => whenOf(series, at));
  const found: When[] = [];
  const begin = series.allDay ? midnightOf(series.start) : series.start;
  let at = Math.max(Date.parse(range.from), Date.parse(begin));
  const end = Math.min(Date.parse(range.to), Date.parse(seriesBound(series)));
  for (let stepMs = YEAR_MS; at <= end && found.length < max;) {
    const until = Math.min(at + stepMs, end);
    const window = [new Date(at), new Date(until)] as const;
    const some = bounded(() => engine.between(...window, true));
    if (!some) break;
    for (const one of some) found.push(whenOf(series, one));
    // A rule may be due every thousand years.
    if (some.length === 0) stepMs *= 2;
    at = until + 1;
  }
  return found;
}

function seriesBound(series: Series): Timestamp {
  const { rule } = series.recurrence;
  const until = rule === null ? undefined : partsOf(rule).get("UNTIL");
  return untilOf(series, until) ?? FOR_EVER;
}

/** @returns undefined where the library gives up on a rule that matches nothing for very long */
function bounded<T>(compute: () => readonly T[]): readonly T[] | undefined {
  try {
    return compute();
  } catch (error) {
    if (error instanceof Error) return undefined;
    throw error;
  }
}

function engineOf(series: Series, rule: string): RRuleTemporal {
  const { allDay, start, timeZone } = series;
  const zone = allDay ? "UTC" : timeZone;
  const local = allDay
    ? Temporal.PlainDate.from(start).toPlainDateTime()
    : Temporal.Instant.from(start).toZonedDateTimeISO(zone).toPlainDateTime();
  const until = untilOf(series, partsOf(rule).get("UNTIL"));
  const written = until?.replaceAll(/[-:]|\.\d+/g, "");
  const ruled =
    written === undefined
      ? rule
      : rule.replace(/UNTIL=[^;]*/, `UNTIL=${written}`);
  const begin = local
    .toString({ smallestUnit: "second" })
    .replaceAll(/[-:]/g, "");
  return new (recurrenceRules().RRuleTemporal)({
    rruleString: `DTSTART;TZID=${zone}:${begin}\nRRULE:${ruled}`,
    maxIterations: MAX_ITERATIONS,
    maxCandidateEvaluations: MAX_ITERATIONS * 10,
    cache: false,
  });
}

/** The last instant at which an occurrence may begin; a day counts to its end. */
function untilOf(
  { allDay, timeZone }: Series,
  written: string | undefined,
): Timestamp | undefined {
  if (written === undefined || written === "") return undefined;
  const [, year, month, day, hour = "23", minute = "59", second = "59", utc] =
    /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})(Z?))?$/.exec(written) ??
    [];
  const date = `${year}-${month}-${day}`;
  try {
    if (allDay) return midnightOf(Temporal.PlainDate.from(date).toString());
    const local = Temporal.PlainDateTime.from(
      `${date}T${hour}:${minute}:${second}`,
    );
    const zone = utc === "Z" ? "UTC" : timeZone;
    const { epochMilliseconds } = local.toZonedDateTime(zone);
    return timestamp(new Date(epochMilliseconds));
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const DATE_LENGTH = "YYYY-MM-DD".length;

function whenOf({ allDay }: Series, at: Temporal.ZonedDateTime): When {
  const instant = timestamp(new Date(at.epochMilliseconds));
  return allDay ? instant.slice(0, DATE_LENGTH) : instant;
}

/** Every occurrence lasts exactly as long as the first one (RFC 5545, section 3.8.5.3). */
function lengthOf({ allDay, start, end }: Series): number {
  const last = end ?? start;
  return allDay
    ? Date.parse(midnightOf(last)) - Date.parse(midnightOf(start))
    : Date.parse(last) - Date.parse(start);
}

function occurrenceOf(
  { allDay, end }: Series,
  at: When,
  changed: ChangedOccurrence | undefined,
  lengthMs: number,
): Occurrence {
  if (changed) return { at, start: changed.start, end: changed.end, changed };
  if (allDay)
    return {
      ...{ at, start: at },
      end: end === null ? null : addDays(at, Math.round(lengthMs / 86_400_000)),
    };
  const over = timestamp(new Date(Date.parse(at) + lengthMs));
  return { at, start: at, end: over };
}

function overOf(
  { start, end }: Pick<Occurrence, "start" | "end">,
  allDay: boolean,
): Timestamp {
  return allDay ? endOfDay(end ?? start) : (end ?? start);
}

function overlaps(
  occurrence: Occurrence,
  isAllDay: boolean,
  { from, to }: Range,
): boolean {
  const allDay = occurrence.changed?.allDay ?? isAllDay;
  const { start } = occurrence;
  const begin = allDay ? midnightOf(start) : start;
  const over = overOf(occurrence, allDay);
  return begin < to && (over > from || (over === begin && begin >= from));
}
