import type {
  ChangedOccurrence,
  Occurrence,
  Recurrence,
} from "../../../lib/icalendar/occurrences.ts";
import { isDateOfSeries } from "../../../lib/icalendar/series/is-date.ts";
import { WorkBudget } from "../../../lib/limits/work-budget.ts";
import { later, timestamp } from "../../../lib/time/clock.ts";
import { addDays } from "../../../lib/time/datetime.ts";
import { KithError } from "../../../lib/errors.ts";
import {
  readDetails,
  type CalendarEvent,
  type EventDetails,
  type TypedEvent,
} from "../event.ts";
import { noDate, readDate, refusingWork } from "./typed-recurrence.ts";

/** The change of one event of a series. */
export type TypedOccurrence = TypedEvent & {
  /** When the series has it begin. */
  readonly occurrence: string;
  readonly isCancelled?: boolean | undefined;
};

/** Each is kept with its texts. */
const MAX_CHANGED = 100;
const MAX_RULE_MS = 1000;

/**
 * Changes one event of a series; the others stay.
 * @throws {KithError} `bad_request` for an event that takes place once, or a date that is none
 *   of the series; `invalid_datetime`
 */
export function changeOccurrence(
  event: CalendarEvent,
  typed: TypedOccurrence,
): Recurrence {
  const { recurrence } = event;
  if (!recurrence) throw noDate("occurrence");
  const at = readDate(typed.occurrence, event, "occurrence");
  if (recurrence.removed.includes(at)) throw noDate("occurrence");
  const budget = new WorkBudget(MAX_RULE_MS);
  const series = { ...event, recurrence };
  if (!refusingWork(() => isDateOfSeries(series, at, budget)))
    throw noDate("occurrence");
  const known = recurrence.changed.find((it) => it.at === at);
  const before = known ?? plannedAt(event, at);
  const details = readDetails(typed, {
    ...before,
    timeZone: event.timeZone,
  });
  const changed = toChanged(at, details, typed, known);
  const others = recurrence.changed.filter((it) => it.at !== at);
  if (others.length >= MAX_CHANGED)
    throw new KithError(
      "bad_request",
      `At most ${MAX_CHANGED} events of a series can be changed.`,
    );
  const all = [...others, changed];
  return {
    ...recurrence,
    changed: all.sort((one, other) => (one.at < other.at ? -1 : 1)),
  };
}

function toChanged(
  at: string,
  { allDay, start, end, summary, description, location }: EventDetails,
  typed: TypedOccurrence,
  known: ChangedOccurrence | undefined,
): ChangedOccurrence {
  return {
    ...{ at, start, end, allDay, summary, description, location },
    isCancelled: typed.isCancelled ?? known?.isCancelled ?? false,
  };
}

/** The event as the series plans it. */
function plannedAt(event: CalendarEvent, at: string): EventDetails {
  const { allDay, start, end } = event;
  if (allDay) {
    const days =
      end === null
        ? 0
        : Temporal.PlainDate.from(start).until(Temporal.PlainDate.from(end))
            .days;
    return { ...event, start: at, end: days > 0 ? addDays(at, days) : null };
  }
  const lengthMs = Date.parse(end ?? start) - Date.parse(start);
  return {
    ...event,
    ...{ start: at, end: timestamp(later(new Date(at), lengthMs)) },
  };
}

/** An event of a series by its name, with its changes. @returns undefined if there is none */
export function findOccurrence(
  event: CalendarEvent,
  typed: string,
): (EventDetails & Pick<Occurrence, "at" | "changed">) | undefined {
  const { recurrence } = event;
  if (!recurrence) return undefined;
  try {
    const at = readDate(typed, event, "occurrence");
    const series = { ...event, recurrence };
    const budget = new WorkBudget(MAX_RULE_MS);
    const isThere = refusingWork(() => isDateOfSeries(series, at, budget));
    if (!isThere || recurrence.removed.includes(at)) return undefined;
    const changed = recurrence.changed.find((it) => it.at === at);
    const planned = plannedAt(event, at);
    return { ...planned, ...changed, at, ...(changed && { changed }) };
  } catch (error) {
    if (error instanceof KithError) return undefined;
    throw error;
  }
}
