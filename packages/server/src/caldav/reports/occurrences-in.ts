import type { CalendarEvent } from "../../features/events/index.ts";
import {
  listOccurrences,
  type Occurrence,
  type Range,
} from "../../lib/icalendar/occurrences.ts";
import type { WorkBudget } from "../../lib/limits/work-budget.ts";

const ONCE = { rule: null, added: [], removed: [], changed: [] };

/**
 * The occurrences of an event that overlap a range, at most `max`. Days begin and end by the
 * clock of the reader.
 */
export function occurrencesIn(
  event: CalendarEvent,
  range: Range,
  zone: string,
  max: number,
  budget: WorkBudget,
): Occurrence[] {
  const series = { ...event, recurrence: event.recurrence ?? ONCE };
  const wanted = event.allDay
    ? { from: asClock(range.from, zone), to: asClock(range.to, zone) }
    : range;
  return listOccurrences(series, wanted, max, budget);
}

/** The time that a clock shows at an instant, written as if it were UTC: the form of midnights. */
function asClock(instant: string, zone: string): string {
  const { year } = Temporal.Instant.from(instant).toZonedDateTimeISO(zone);
  if (year < 2 || year > 9998) return instant;
  const clock = Temporal.Instant.from(instant)
    .toZonedDateTimeISO(zone)
    .toPlainDateTime();
  return `${clock.toString({ smallestUnit: "millisecond" })}Z`;
}
