import type { RRuleTemporal } from "rrule-temporal";
import { createLruCache } from "../../caching/lru-cache.ts";
import type { WorkBudget } from "../../limits/work-budget.ts";
import { timestamp, type Timestamp } from "../../time/clock.ts";
import { midnightOf } from "../../time/datetime.ts";
import { recurrenceRules } from "../libraries.ts";
import { partsOf } from "../recurrence-rule.ts";

/** A rule with all that its dates depend on. */
export type RuledSeries = {
  /** The value of an `RRULE` that was checked. */
  readonly rule: string;
  readonly allDay: boolean;
  /** An instant, or `YYYY-MM-DD` for one that lasts all day. */
  readonly start: string;
  /** IANA name: the clock by which it repeats. */
  readonly timeZone: string;
};

/** A rule that names no date for so long is searched no further. */
export const HORIZON_YEARS = 100;

/** Within one year: the library gives up on a rule that it must search for longer. */
const MAX_ITERATIONS = 5_000;

/**
 * The dates of a rule by the year, as milliseconds: 8 MB, and the keys. A calendar program
 * asks for the same ones again and again.
 */
const known = createLruCache<string, readonly number[]>({
  max: 1_000_000,
  // An empty year takes room, too.
  sizeOf: (dates) => dates.length + 20,
});

/**
 * The dates of a rule from one instant to another, both included, as milliseconds: the first
 * `max` of them and one more, in the first {@link HORIZON_YEARS} years.
 */
export function listRuleDates(
  series: RuledSeries,
  fromMs: number,
  toMs: number,
  max: number,
  budget: WorkBudget,
): number[] {
  const startMs = startOf(series);
  const first = Math.max(fromMs, startMs);
  const last = Math.min(toMs, lastOf(series, budget) ?? toMs);
  const found: number[] = [];
  let year = yearOf(first);
  const end = Math.min(yearOf(last), year + HORIZON_YEARS - 1);
  for (; first <= last && year <= end && found.length < max; year += 1)
    for (const ms of datesIn(series, year, budget))
      if (ms >= first && ms <= last) found.push(ms);
  // The first may end as the range begins.
  return found.slice(0, max + 1);
}

/**
 * The last instant at which an event of the series may begin.
 * @returns undefined for a series without an end, or with one after the horizon
 */
export function lastOf(
  series: RuledSeries,
  budget: WorkBudget,
): number | undefined {
  const parts = partsOf(series.rule);
  const until = untilOf(series, parts.get("UNTIL"));
  if (until !== undefined) return Date.parse(until);
  const count = Number(parts.get("COUNT") ?? 0);
  return count > 0 ? lastOfCount(series, count, budget) : undefined;
}

/** A rule that names no date at all ends with its start. */
function lastOfCount(
  series: RuledSeries,
  count: number,
  budget: WorkBudget,
): number | undefined {
  const startMs = startOf(series);
  const startYear = yearOf(startMs);
  let left = count;
  for (let n = 0; n < HORIZON_YEARS; n += 1) {
    const dates = datesIn(series, startYear + n, budget);
    const counted = n === 0 ? dates.filter((ms) => ms >= startMs) : dates;
    const last = counted[left - 1];
    if (last !== undefined) return last;
    left -= counted.length;
  }
  return left === count ? startMs : undefined;
}

/** All dates in a year of UTC, without regard to the end of the series. */
function datesIn(
  series: RuledSeries,
  year: number,
  budget: WorkBudget,
): readonly number[] {
  const { allDay, start, timeZone } = series;
  const rule = endless(series.rule);
  const key = `${year} ${allDay} ${start} ${timeZone} ${rule}`;
  const there = known.get(key);
  if (there) return there;
  const from = Math.max(Date.UTC(year), startOf(series));
  const window = [new Date(from), new Date(Date.UTC(year + 1) - 1)] as const;
  const dates = budget.spend(() =>
    bounded(() => engineOf(series, rule).between(...window, true)),
  );
  const found = dates.map(({ epochMilliseconds }) => epochMilliseconds);
  known.set(key, found);
  return found;
}

/** The library counts from the start each time, and the end is no matter of the rule. */
function endless(rule: string): string {
  const parts = rule.split(";");
  return parts.filter((part) => !/^(COUNT|UNTIL)=/.test(part)).join(";");
}

/** None where the library gives up. */
function bounded<T>(compute: () => readonly T[]): readonly T[] {
  try {
    return compute();
  } catch (error) {
    if (error instanceof Error) return [];
    throw error;
  }
}

function engineOf(
  { allDay, start, timeZone }: RuledSeries,
  rule: string,
): RRuleTemporal {
  const zone = allDay ? "UTC" : timeZone;
  const local = allDay
    ? Temporal.PlainDate.from(start).toPlainDateTime()
    : Temporal.Instant.from(start).toZonedDateTimeISO(zone).toPlainDateTime();
  const begin = local
    .toString({ smallestUnit: "second" })
    .replaceAll(/[-:]/g, "");
  return new (recurrenceRules().RRuleTemporal)({
    rruleString: `DTSTART;TZID=${zone}:${begin}\nRRULE:${rule}`,
    maxIterations: MAX_ITERATIONS,
    maxCandidateEvaluations: MAX_ITERATIONS * 10,
    cache: false,
  });
}

/** The last instant at which an occurrence may begin; a day counts to its end. */
function untilOf(
  { allDay, timeZone }: RuledSeries,
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

function startOf({ allDay, start }: RuledSeries): number {
  return Date.parse(allDay ? midnightOf(start) : start);
}

function yearOf(ms: number): number {
  return new Date(ms).getUTCFullYear();
}
