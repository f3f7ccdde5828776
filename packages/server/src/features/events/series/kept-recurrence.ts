import {
  seriesOver,
  type ChangedOccurrence,
  type Recurrence,
} from "../../../lib/icalendar/occurrences.ts";
import { isDateOfSeries } from "../../../lib/icalendar/series/is-date.ts";
import type { WorkBudget } from "../../../lib/limits/work-budget.ts";
import { parseDatetime } from "../../../lib/time/datetime.ts";
import { KithError } from "../../../lib/errors.ts";
import { LIMITS, type EventDetails } from "../event.ts";
import { readRule, refusingWork } from "./typed-recurrence.ts";

/** As many of each as a person may remove. */
const MAX_EXCEPTIONS = 1000;

/**
 * Reads how an event repeated elsewhere, with its exceptions. Those that are no part of the
 * series are left out.
 * @returns null for one that takes place once
 * @throws {KithError} `bad_request` for a rule that is none, that takes too long to compute, or has
 *   too many exceptions
 */
export function keptRecurrence(
  given: Recurrence,
  details: EventDetails,
  budget: WorkBudget,
): Recurrence | null {
  const { added, removed, changed } = given;
  if ([added, removed, changed].some((it) => it.length > MAX_EXCEPTIONS))
    throw new KithError(
      "bad_request",
      `A series has at most ${MAX_EXCEPTIONS} exceptions.`,
    );
  const rule = readRule(given.rule ?? "");
  const when = (text: string) => readWhen(text, details.allDay);
  const series = {
    ...details,
    recurrence: { rule, added: added.flatMap(when), removed: [], changed: [] },
  };
  if (rule === null && series.recurrence.added.length === 0) return null;
  return refusingWork(() => {
    const isDate = (at: string) => isDateOfSeries(series, at, budget);
    const recurrence = {
      ...series.recurrence,
      removed: removed.flatMap(when).filter(isDate),
      changed: changed.flatMap((it) => readChanged(it, details)),
    };
    const kept = {
      ...recurrence,
      changed: recurrence.changed.filter(({ at }) => isDate(at)),
    };
    seriesOver({ ...series, recurrence: kept }, budget);
    return kept;
  });
}

function readWhen(text: string, allDay: boolean): string[] {
  const read = parseDatetime(text);
  return read ? [allDay ? read.date : read.instant] : [];
}

/** @returns none for one whose times cannot be read */
function readChanged(
  given: ChangedOccurrence,
  { allDay: isOfDays }: EventDetails,
): ChangedOccurrence[] {
  const { allDay, isCancelled, summary, description, location } = given;
  const [at] = readWhen(given.at, isOfDays);
  const [start] = readWhen(given.start, allDay);
  const [end = null] = given.end === null ? [] : readWhen(given.end, allDay);
  if (at === undefined || start === undefined) return [];
  if (end !== null && end < start) return [];
  const isLong =
    [...summary].length > LIMITS.summary ||
    [...description].length > LIMITS.description ||
    [...location].length > LIMITS.location;
  if (isLong) return [];
  return [
    { at, start, end, allDay, summary, description, location, isCancelled },
  ];
}
