import type { Session } from "../../features/accounts/index.ts";
import type {
  SubscribedOccurrence,
  SubscribedCalendars,
} from "../../features/subscribed-calendars/index.ts";
import type { Range } from "../../lib/icalendar/occurrences.ts";
import { dateIn } from "../../lib/time/datetime.ts";
import { currentTimeZone } from "../languages/reader.ts";

/** An event of a calendar of another server, at one of its times. */
export type SubscribedEntry = {
  readonly event: SubscribedOccurrence["details"];
  readonly href: string;
  /** The name of its calendar. */
  readonly calendar: string;
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
  const names = new Map(calendars.map(({ id, name }) => [id, name]));
  const found = await subscribedCalendars.listOccurrences(userId, range);
  return found.map((occurrence) => ({
    event: occurrence.details,
    href: pathOf(occurrence),
    calendar: names.get(occurrence.subscriptionId) ?? "",
  }));
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
