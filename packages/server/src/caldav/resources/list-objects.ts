import { setImmediate } from "node:timers/promises";
import type { SyncedCalendar } from "../../features/calendars/index.ts";
import type { CalendarObject } from "../../features/events/index.ts";
import type { Range } from "../../lib/icalendar/occurrences.ts";
import type { DavCall } from "../context.ts";

const AT_ONCE = 100;

/** All objects of a calendar in parts, between which other requests are answered. */
export async function* listAllObjects(
  { deps }: DavCall,
  { id }: SyncedCalendar,
  range?: Range,
): AsyncGenerator<CalendarObject[]> {
  let after: CalendarObject["event"]["id"] | undefined;
  for (;;) {
    const part = { after, limit: AT_ONCE, from: range?.from, to: range?.to };
    const some = await deps.events.objects.list(id, part);
    yield some;
    after = some.at(-1)?.event.id;
    if (some.length < AT_ONCE) return;
    await setImmediate();
  }
}
