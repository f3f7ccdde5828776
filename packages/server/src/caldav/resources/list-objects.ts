import { setImmediate } from "node:timers/promises";
import type { CalendarObject } from "../../features/events/index.ts";
import type { Range } from "../../lib/icalendar/occurrences.ts";
import type { DavCall } from "../context.ts";
import type { EventId } from "../../features/ids.ts";
import type { DavCalendar } from "./dav-calendar.ts";
import { subscribedObjectOf } from "./subscribed.ts";

const AT_ONCE = 100;

/** All objects of a calendar in parts, between which other requests are answered. */
export async function* listAllObjects(
  { deps, user }: DavCall,
  { id, share, members, subscription }: DavCalendar,
  range?: Range,
): AsyncGenerator<CalendarObject[]> {
  const part = { ...range, limit: AT_ONCE };
  if (members) yield [...members];
  else if (subscription) {
    const { objects } = deps.subscribedCalendars;
    const parts = inParts(
      (after: string | undefined) =>
        objects.list(subscription.id, { ...part, after }),
      ({ name }) => name,
    );
    for await (const some of parts)
      yield some.map((it) => subscribedObjectOf(subscription, it));
  } else {
    const viewer = share && user;
    yield* inParts(
      (after: EventId | undefined) =>
        deps.events.objects.list(id, { ...part, after, viewer }),
      ({ event }) => event.id,
    );
  }
}

async function* inParts<T, Key>(
  list: (after: Key | undefined) => Promise<T[]>,
  keyOf: (item: T) => Key,
): AsyncGenerator<T[]> {
  let after: Key | undefined;
  for (;;) {
    const some = await list(after);
    yield some;
    const last = some.at(-1);
    if (last === undefined || some.length < AT_ONCE) return;
    after = keyOf(last);
    await setImmediate();
  }
}
