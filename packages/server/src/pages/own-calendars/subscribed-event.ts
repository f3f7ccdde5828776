import type { Session } from "../../features/accounts/index.ts";
import type {
  SubscribedOccurrence,
  SubscribedCalendars,
  Subscription,
} from "../../features/subscribed-calendars/index.ts";
import type { Range } from "../../lib/icalendar/occurrences.ts";
import { dateIn } from "../../lib/time/datetime.ts";
import { currentTimeZone } from "../languages/reader.ts";
import type { EntryCalendar } from "./entry-calendars.ts";

/** An event of a calendar of another server, at one of its times. */
export type SubscribedEntry = {
  readonly event: SubscribedOccurrence["details"];
  readonly href: string;
  readonly calendar: EntryCalendar;
};

export const SUBSCRIBED_EVENT = "/calendar/subscribed";

/** Lists the events in a range, of the calendars that a user subscribes to. */
export async function listSubscribedEntries(
  {
    subscribedCalendars,
  }: { readonly subscribedCalendars: SubscribedCalendars },
  { userId }: Session["user"],
  range: Range,
): Promise<SubscribedEntry[]> {
  const calendars = await subscribedCalendars.list(userId);
  if (calendars.length === 0) return [];
  const byId = new Map(calendars.map((it) => [it.id, it]));
  const found = await subscribedCalendars.listOccurrences(userId, range);
  return found.map((occurrence) => ({
    event: occurrence.details,
    href: pathOf(occurrence),
    calendar: calendarOf(byId.get(occurrence.subscriptionId)),
  }));
}

function calendarOf(calendar: Subscription | undefined): EntryCalendar {
  const { name = "", color = null } = calendar ?? {};
  return { name, color, isElsewhere: true };
}

/** A series has a page for each of its days. */
function pathOf({
  subscriptionId,
  name,
  details: { allDay, start },
}: SubscribedOccurrence): string {
  const day = allDay ? start : dateIn(currentTimeZone(), start);
  return `${SUBSCRIBED_EVENT}/${subscriptionId}/${name}?day=${day}`;
}
