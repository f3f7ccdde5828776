import { setImmediate } from "node:timers/promises";
import type { CalendarObject } from "../../features/events/index.ts";
import type { Range } from "../../lib/icalendar/occurrences.ts";
import type { DavCall } from "../context.ts";
import type { DavCalendar } from "./dav-calendar.ts";

const AT_ONCE = 100;

/** All objects of a calendar in parts, between which other requests are answered. */
export async function* listAllObjects(
  { deps, user }: DavCall,
  { id, share, members }: DavCalendar,
  range?: Range,
): AsyncGenerator<CalendarObject[]> {
  if (members) {
    yield [...members];
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
