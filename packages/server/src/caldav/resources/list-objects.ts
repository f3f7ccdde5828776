import { setImmediate } from "node:timers/promises";
import type { CalendarObject } from "../../features/events/index.ts";
import type { Range } from "../../lib/icalendar/occurrences.ts";
import type { DavCall } from "../context.ts";
import type {
  SubscribedCalendars,
  Subscription,
} from "../../features/subscribed-calendars/index.ts";
import type { DavCalendar } from "./dav-calendar.ts";
import { subscribedObjectOf } from "./subscribed.ts";

const AT_ONCE = 100;

/** All objects of a calendar in parts, between which other requests are answered. */
export async function* listAllObjects(
  { deps, user }: DavCall,
  { id, share, members, subscription }: DavCalendar,
  range?: Range,
): AsyncGenerator<CalendarObject[]> {
  if (members) {
    yield [...members];
    return;
  }
  if (subscription) {
    yield* listAllSubscribed(deps.subscribedCalendars, subscription, range);
    return;
  }
  let after: CalendarObject["event"]["id"] | undefined;
  for (;;) {
    const part = {
      ...{ after, limit: AT_ONCE, from: range?.from, to: range?.to },
      viewer: share && user,
    };
    const some = await deps.events.objects.list(id, part);
    yield some;
    after = some.at(-1)?.event.id;
    if (some.length < AT_ONCE) return;
    await setImmediate();
  }
}

async function* listAllSubscribed(
  { objects }: SubscribedCalendars,
  subscription: Subscription,
  range: Range | undefined,
): AsyncGenerator<CalendarObject[]> {
  let after: string | undefined;
  for (;;) {
    const part = { ...range, after, limit: AT_ONCE };
    const some = await objects.list(subscription.id, part);
    yield some.map((it) => subscribedObjectOf(subscription, it));
    after = some.at(-1)?.name;
    if (some.length < AT_ONCE) return;
    await setImmediate();
  }
}
