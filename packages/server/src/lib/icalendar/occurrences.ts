import { WorkBudget } from "../limits/work-budget.ts";
import { timestamp, type Timestamp } from "../time/clock.ts";
import { addDays, endOfDay, midnightOf } from "../time/datetime.ts";
import { lastOf, listRuleDates } from "./series/rule-dates.ts";

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

/** Of one series that shares its budget with no other. */
const OWN_BUDGET_MS = 200;
/** Ends of series without one. */
export const FOR_EVER: Timestamp = "9999-12-31T23:59:59.999Z";

/**
 * The occurrences of a series that overlap a range, ordered by their start: at most `max`. A
 * range without an end is searched for a hundred years.
 * @throws {WorkBudgetError} where the rules of a request take too long to compute
 */
export function listOccurrences(
  series: Series,
  { from, to }: Range,
  max: number,
  budget = new WorkBudget(OWN_BUDGET_MS),
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
  // The last day of one that lasts all day ends a day after it begins.
  const reachMs = lengthMs + (series.allDay ? DAY_MS : 0);
  const fromMs = Date.parse(from) - reachMs;
  for (const at of ruled(series, fromMs, Date.parse(to), enough, budget))
    begins.add(at);
  return [...begins]
    .filter((at) => !removed.has(at))
    .map((at) => occurrenceOf(series, at, changed.get(at), lengthMs))
    .filter((it) => overlaps(it, series.allDay, { from, to }))
    .sort((one, other) => (one.start < other.start ? -1 : 1))
    .slice(0, max);
}

/**
 * The first instant at which all of a series is over; `FOR_EVER` if it has no end.
 * @throws {WorkBudgetError} for a rule that takes too long to compute
 */
export function seriesOver(series: Series, budget: WorkBudget): Timestamp {
  const { allDay, start, recurrence } = series;
  const lengthMs = lengthOf(series);
  const { rule } = recurrence;
  const lastMs =
    rule === null ? undefined : lastOf({ ...series, rule }, budget);
  if (rule !== null && lastMs === undefined) return FOR_EVER;
  const last = lastMs === undefined ? start : whenOf(series, lastMs);
  const ends = [start, ...recurrence.added, last].map((at) =>
    overOf(occurrenceOf(series, at, undefined, lengthMs), allDay),
  );
  const moved = recurrence.changed.map((it) => overOf(it, it.allDay));
  return [...ends, ...moved].sort().at(-1) ?? FOR_EVER;
}

function ruled(
  series: Series,
  fromMs: number,
  toMs: number,
  max: number,
  budget: WorkBudget,
): When[] {
  const { rule } = series.recurrence;
  if (rule === null) return [];
  const dates = listRuleDates({ ...series, rule }, fromMs, toMs, max, budget);
  return dates.map((ms) => whenOf(series, ms));
}

const DAY_MS = 86_400_000;
const DATE_LENGTH = "YYYY-MM-DD".length;

function whenOf({ allDay }: Series, ms: number): When {
  const instant = timestamp(new Date(ms));
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
      end: end === null ? null : addDays(at, Math.round(lengthMs / DAY_MS)),
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
