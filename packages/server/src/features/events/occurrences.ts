import {
  FOR_EVER,
  listOccurrences,
  type Occurrence,
} from "../../lib/icalendar/occurrences.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import { readDatetime, startInstant, type CalendarEvent } from "./event.ts";

/** A range as typed; an empty form field sets no bound. */
export type TypedRange = {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
};

/** The occurrences of an event that repeats; those after the range only end the list. */
const MAX_LISTED = 100;

/** @throws {KithError} `invalid_datetime` */
export function listOccurrencesOf(
  event: CalendarEvent,
  { from, to }: TypedRange,
): Occurrence[] {
  const { recurrence } = event;
  if (!recurrence) return [];
  const range = {
    from: from ? readDatetime(from, "from").instant : startInstant(event),
    to: to ? readDatetime(to, "to").instant : FOR_EVER,
  };
  return listOccurrences({ ...event, recurrence }, range, MAX_LISTED);
}

/** An event that repeats, with the times of the occurrence that is next, or on. */
export function upcomingOf(
  event: CalendarEvent,
  now: Timestamp,
): CalendarEvent {
  const { recurrence } = event;
  if (!recurrence) return event;
  const range = { from: now, to: FOR_EVER };
  const all = listOccurrences({ ...event, recurrence }, range, 1);
  const [next] = all.filter(({ changed }) => changed?.isCancelled !== true);
  if (!next) return event;
  const { start, end, changed } = next;
  return { ...event, ...changed, start, end };
}
