import { CalendarDataError } from "../../../lib/icalendar/calendar-data.ts";
import {
  seriesOver,
  type ChangedOccurrence,
  type Recurrence,
} from "../../../lib/icalendar/occurrences.ts";
import { checkRule } from "../../../lib/icalendar/recurrence-rule.ts";
import { isDateOfSeries } from "../../../lib/icalendar/series/is-date.ts";
import {
  WorkBudget,
  WorkBudgetError,
} from "../../../lib/limits/work-budget.ts";
import { parseDatetime } from "../../../lib/time/datetime.ts";
import { KithError } from "../../../lib/errors.ts";
import type { EventDetails } from "../event.ts";

/** How an event repeats, as entered by a user. Absent fields keep their value. */
export type TypedRecurrence = {
  /** The value of an `RRULE`; empty for an event that takes place once. */
  readonly rule?: string | undefined;
  /** The dates of the rule at which it does not take place: all of them. */
  readonly removed?: readonly string[] | undefined;
};

const MAX_REMOVED = 1000;
const MAX_RULE_MS = 1000;

/**
 * Reads how an event repeats. What a program has added stays, as long as it is part of the
 * series.
 * @throws {KithError} `bad_request`, `invalid_datetime`
 */
export function readRecurrence(
  { rule, removed }: TypedRecurrence,
  details: EventDetails,
  before: Recurrence | null,
): Recurrence | null {
  if (rule === undefined && removed === undefined) return before;
  const written = rule === undefined ? (before?.rule ?? null) : readRule(rule);
  if (written === null && rule !== undefined) return null;
  const kept = before ?? { rule: null, added: [], removed: [], changed: [] };
  const series = { ...details, recurrence: { ...kept, rule: written } };
  return refusingWork(() => {
    const budget = new WorkBudget(MAX_RULE_MS);
    const isDate = (at: string) => isDateOfSeries(series, at, budget);
    const all = removed
      ? readRemoved(removed, details, isDate)
      : kept.removed.filter(isDate);
    const changed = kept.changed.filter(({ at }) => isDate(at));
    const recurrence = { ...series.recurrence, removed: all, changed };
    seriesOver({ ...series, recurrence }, budget);
    return recurrence;
  });
}

/** @returns null for an empty one @throws {KithError} `bad_request` */
export function readRule(typed: string): string | null {
  const value = typed.trim().replace(/^RRULE:/i, "");
  if (value === "") return null;
  try {
    return checkRule(value);
  } catch (error) {
    if (error instanceof CalendarDataError)
      throw new KithError(
        "bad_request",
        `The recurrence must be the value of an RRULE: ${error.message.replace(/\.$/, "")}.`,
      );
    throw error;
  }
}

function readRemoved(
  typed: readonly string[],
  details: EventDetails,
  isDate: (at: string) => boolean,
): string[] {
  if (typed.length > MAX_REMOVED)
    throw new KithError(
      "bad_request",
      `At most ${MAX_REMOVED} exdates may be given.`,
    );
  const all = typed.map((it) => readDate(it, details, "exdates"));
  if (!all.every(isDate)) throw noDate("exdates");
  return [...new Set(all)].sort();
}

/** The parameters that name occurrences. */
type Naming = "exdates" | "occurrence";

const MUST_BE: Readonly<Record<Naming, string>> = {
  exdates:
    "Each of the exdates must be the time at which the series has an event begin.",
  occurrence:
    "The occurrence must be the time at which the series has an event begin.",
};

/**
 * The name of an occurrence: when the series has it begin.
 * @param parameter that names it
 * @throws {KithError} `invalid_datetime`
 */
export function readDate(
  typed: string,
  { allDay }: EventDetails,
  parameter: Naming,
): string {
  const read = parseDatetime(typed);
  if (!read) throw new KithError("invalid_datetime", MUST_BE[parameter]);
  return allDay ? read.date : read.instant;
}

export function noDate(parameter: Naming): KithError {
  return new KithError("bad_request", MUST_BE[parameter]);
}

export function refusingWork<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof WorkBudgetError)
      throw new KithError("bad_request", "The rule takes too long to compute.");
    throw error;
  }
}

const CHANGED = [
  "at",
  "start",
  "end",
  "allDay",
  "summary",
  "description",
  "location",
  "isCancelled",
] as const;

/** Do both repeat in the same way? */
export function isSameRecurrence(
  one: Recurrence | null,
  other: Recurrence | null,
): boolean {
  if (!one || !other) return one === other;
  return (
    one.rule === other.rule &&
    one.added.join() === other.added.join() &&
    one.removed.join() === other.removed.join() &&
    one.changed.length === other.changed.length &&
    one.changed.every((it, at) => isSameChange(it, other.changed[at]))
  );
}

function isSameChange(
  one: ChangedOccurrence,
  other: ChangedOccurrence | undefined,
): boolean {
  return CHANGED.every((name) => one[name] === other?.[name]);
}
