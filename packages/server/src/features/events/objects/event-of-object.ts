import { CalendarDataError } from "../../../lib/icalendar/calendar-data.ts";
import {
  seriesOver,
  type Recurrence,
  type Series,
} from "../../../lib/icalendar/occurrences.ts";
import {
  WorkBudgetError,
  type WorkBudget,
} from "../../../lib/limits/work-budget.ts";
import type { ObjectTime } from "../../../lib/icalendar/object-time.ts";
import type {
  ParsedEvent,
  ParsedObject,
} from "../../../lib/icalendar/objects/parse-object.ts";
import { joinLines } from "../../../lib/lines.ts";
import { addDays } from "../../../lib/time/datetime.ts";
import { storableText } from "../../../lib/well-formed.ts";
import { LIMITS, type CalendarEvent, type EventDetails } from "../event.ts";

/** The details of the event in an object. */
export type EventOfObject = EventDetails &
  Pick<CalendarEvent, "recurrence" | "status">;

/**
 * Reads the event of an object. Texts that are too long are cut here, not in the object.
 * @param zone of floating times
 * @param budget for the end of its series
 * @throws {CalendarDataError} `max-instances` for a series that takes too long to compute
 */
export function eventOfObject(
  { master, overrides }: ParsedObject,
  zone: string,
  budget: WorkBudget,
): EventOfObject {
  const { rule, added, removed } = master;
  const repeats =
    rule !== undefined || added.length > 0 || overrides.length > 0;
  // A single moment in UTC is shown by the clock of its owner; a series repeats by UTC.
  const own = master.start.zone ?? zone;
  const timeZone = own === "UTC" && !repeats ? zone : own;
  const { allDay, start, end } = timesOf(master, timeZone);
  const whenOf = (time: ObjectTime) =>
    allDay ? time.date : time.instantIn(timeZone);
  const recurrence: Recurrence | null = repeats
    ? {
        rule: rule ?? null,
        added: added.map(whenOf),
        removed: removed.map(whenOf),
        changed: overrides.map((override) => ({
          at: whenOf(override.recurrenceId),
          ...timesOf(override, timeZone),
          ...textsOf(override),
          isCancelled: override.status === "cancelled",
        })),
      }
    : null;
  if (recurrence)
    checkSeries({ allDay, start, end, timeZone, recurrence }, budget);
  return {
    ...{ allDay, start, end, timeZone, recurrence },
    ...textsOf(master),
    status: master.status,
  };
}

/** Before anything is written. */
function checkSeries(series: Series, budget: WorkBudget): void {
  try {
    seriesOver(series, budget);
  } catch (error) {
    if (!(error instanceof WorkBudgetError)) throw error;
    throw new CalendarDataError(
      "max-instances",
      "The rule of a series takes too long to compute.",
    );
  }
}

function textsOf({ summary, description, location }: ParsedEvent) {
  return {
    summary: joinLines(cut(summary, "summary"), " "),
    description: cut(description, "description"),
    location: cut(location, "location"),
  };
}

function cut(text: string, name: keyof typeof LIMITS): string {
  const trimmed = storableText(text).trim();
  return trimmed.length <= LIMITS[name]
    ? trimmed
    : [...trimmed].slice(0, LIMITS[name]).join("").trim();
}

/** An end before the start counts as none. */
function timesOf({ start, end }: ParsedEvent, zone: string) {
  if (start.isDate) {
    const last = end && addDays(end.date, -1);
    const isLong = last !== undefined && last > start.date;
    return { allDay: true, start: start.date, end: isLong ? last : null };
  }
  const begin = start.instantIn(zone);
  const over = end?.instantIn(zone) ?? begin;
  return { allDay: false, start: begin, end: over > begin ? over : begin };
}
