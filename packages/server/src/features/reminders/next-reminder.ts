import { FOR_EVER, listOccurrences } from "../../lib/icalendar/occurrences.ts";
import { WorkBudget } from "../../lib/limits/work-budget.ts";
import { later, timestamp, type Timestamp } from "../../lib/time/clock.ts";
import { midnightIn } from "../../lib/time/datetime.ts";
import type { CalendarEvent } from "../events/index.ts";

/** A moment at which somebody is to be reminded, and when the event begins then. */
export type Reminder = { readonly at: Timestamp; readonly start: Timestamp };

export type RemindedEvent = Pick<
  CalendarEvent,
  "allDay" | "start" | "end" | "timeZone" | "recurrence" | "status"
>;

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Occurrences that are on already come first in a list, and are not the next. */
const MAX_ON = 50;
const BUDGET_MS = 200;

/**
 * The first reminder of an event after a moment.
 * @param leads minutes before it begins
 * @param zone that of the person: a day begins there at its midnight
 * @returns undefined if there is none any more, or if the event does not take place
 * @throws {WorkBudgetError} for a rule that takes too long to compute
 */
export function nextReminder(
  event: RemindedEvent,
  leads: readonly number[],
  zone: string,
  after: Timestamp,
): Reminder | undefined {
  if (event.status === "cancelled" || event.status === "postponed")
    return undefined;
  const budget = new WorkBudget(BUDGET_MS);
  return leads
    .flatMap((lead) => firstAfter(event, lead, zone, after, budget) ?? [])
    .sort((one, other) => (one.at < other.at ? -1 : 1))[0];
}

function firstAfter(
  event: RemindedEvent,
  lead: number,
  zone: string,
  after: Timestamp,
  budget: WorkBudget,
): Reminder | undefined {
  const leadMs = lead * MINUTE_MS;
  return startsFrom(event, later(new Date(after), leadMs), zone, budget)
    .map((start): Reminder => ({ at: before(start, leadMs), start }))
    .sort((one, other) => (one.at < other.at ? -1 : 1))
    .find(({ at }) => at > after);
}

const before = (instant: Timestamp, ms: number): Timestamp =>
  timestamp(later(new Date(instant), -ms));

/** Some instants at which it begins, with the first one after `from` if there is one. */
function startsFrom(
  event: RemindedEvent,
  from: Date,
  zone: string,
  budget: WorkBudget,
): Timestamp[] {
  const { recurrence, allDay } = event;
  if (!recurrence) return [startIn(zone, event)];
  const max = MAX_ON + recurrence.changed.length;
  // Days are listed as those of UTC.
  const range = { from: timestamp(later(from, -DAY_MS)), to: FOR_EVER };
  return listOccurrences({ ...event, recurrence }, range, max, budget)
    .filter(({ changed }) => changed?.isCancelled !== true)
    .map(({ start, changed }) =>
      startIn(zone, { start, allDay: changed?.allDay ?? allDay }),
    );
}

/** When an event begins for somebody. */
export const startIn = (
  zone: string,
  { start, allDay }: Pick<RemindedEvent, "allDay" | "start">,
): Timestamp => (allDay ? midnightIn(zone, start) : start);
