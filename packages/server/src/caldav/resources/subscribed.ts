import type { CalendarObject } from "../../features/events/index.ts";
import type { CalendarId, EventId, PersonId } from "../../features/ids.ts";
import type {
  SubscribedObject,
  Subscription,
} from "../../features/subscribed-calendars/index.ts";
import type { DavCall } from "../context.ts";
import type { DavCalendar } from "./dav-calendar.ts";

/** The calendars of other servers that the user reads here. */
export async function listSubscribed({
  user,
  deps,
}: DavCall): Promise<DavCalendar[]> {
  const found = await deps.subscribedCalendars.list(user.userId);
  return found.map(calendarOf);
}

export async function findSubscribedAt(
  { user, deps }: DavCall,
  pathName: string,
): Promise<DavCalendar | undefined> {
  const { subscribedCalendars } = deps;
  const found = subscribedCalendars.isSubscribedPath(pathName)
    ? await subscribedCalendars.find(user.userId, { pathName })
    : undefined;
  return found && calendarOf(found);
}

function calendarOf(subscription: Subscription): DavCalendar {
  return {
    ...subscription,
    // Nothing else is asked of its own objects.
    id: 0 as CalendarId,
    ...{ isDefault: false, subscription },
  };
}

/** A subscribed object in the form of an event, which nobody here has planned or answered. */
export function subscribedObjectOf(
  { createdAt, updatedAt }: Subscription,
  { name, uid, change, text, details }: SubscribedObject,
): CalendarObject {
  return {
    event: {
      ...details,
      ...{ id: 0 as EventId, personId: 0 as PersonId, guid: name, uid },
      ...{ calendarId: null, aspectId: null, audience: "owner" },
      ...{
        capacity: null,
        needsApproval: false,
        categories: [],
        public: false,
        sequence: 0,
      },
      ...{ createdAt, updatedAt },
    },
    ...{ name, change, text },
  };
}
