import type { Accounts } from "../features/accounts/index.ts";
import type { CalendarEvent, Events } from "../features/events/index.ts";
import type { Person } from "../features/people/index.ts";
import type { Post } from "../features/posts/index.ts";
import { translate } from "../lib/messages/messages.ts";

type CarriedDeps = { readonly accounts: Accounts; readonly events: Events };

/**
 * The event that a post takes along to other servers: there a post carries its
 * own author's events alone, and an event has a name.
 */
export async function findCarriedEvent(
  { accounts, events }: CarriedDeps,
  { eventId }: Post,
  { id, userId }: Person,
): Promise<CalendarEvent | null> {
  if (eventId === null || userId === null) return null;
  const event = await events.find({ id: eventId });
  if (event?.personId !== id) return null;
  if (event.summary !== "") return event;
  const { locale } = await accounts.getSettings(userId);
  return { ...event, summary: translate(locale, "calendars.untitled") };
}
