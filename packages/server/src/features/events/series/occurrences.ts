import {
  FOR_EVER,
  listOccurrences,
  type Occurrence,
} from "../../../lib/icalendar/occurrences.ts";
import {
  WorkBudget,
  WorkBudgetError,
} from "../../../lib/limits/work-budget.ts";
import type { Timestamp } from "../../../lib/time/clock.ts";
import {
  readDatetime,
  startInstant,
  type CalendarEvent,
  type EventDetails,
} from "../event.ts";

/** A range as typed; an empty form field sets no bound. */
export type TypedRange = {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
};

/** The occurrences of an event that repeats; those after the range only end the list. */
const MAX_LISTED = 100;

/** For the rules of all events in one answer. */
const MAX_RULES_MS = 500;

/** To be shared by the events of one answer: the last of those that take too long show no times. */
export function rulesBudget(): WorkBudget {
  return new WorkBudget(MAX_RULES_MS);
}

function withinBudget(list: () => Occurrence[]): Occurrence[] {
  try {
    return list();
  } catch (error) {
    if (error instanceof WorkBudgetError) return [];
    throw error;
  }
}

/** @throws {KithError} `invalid_datetime` */
export function listOccurrencesOf(
  event: CalendarEvent,
  { from, to }: TypedRange,
  budget = rulesBudget(),
): Occurrence[] {
  const { recurrence } = event;
  if (!recurrence) return [];
  const range = {
    from: from ? readDatetime(from, "from").instant : startInstant(event),
    to: to ? readDatetime(to, "to").instant : FOR_EVER,
  };
  return withinBudget(() =>
    listOccurrences({ ...event, recurrence }, range, MAX_LISTED, budget),
  );
}

type UpcomingEvent = EventDetails & Pick<CalendarEvent, "recurrence">;

/** An event that repeats, with the times of the occurrence that is next, or on. */
export function upcomingOf<Event extends UpcomingEvent>(
  event: Event,
  now: Timestamp,
  budget = rulesBudget(),
): Event {
  const { recurrence } = event;
  if (!recurrence) return event;
  const range = { from: now, to: FOR_EVER };
  const all = withinBudget(() =>
    // A cancelled one is changed.
    listOccurrences(
      { ...event, recurrence },
      range,
      recurrence.changed.length + 1,
      budget,
    ),
  );
  const [next] = all.filter(({ changed }) => changed?.isCancelled !== true);
  if (!next) return event;
  const { start, end, changed } = next;
  return { ...event, ...changed, start, end };
}
