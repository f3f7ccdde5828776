import { renderObjects } from "../../features/calendar-files/index.ts";
import type { CalendarObject } from "../../features/events/index.ts";
import type { Range } from "../../lib/icalendar/occurrences.ts";
import { writeFreeBusy } from "../../lib/icalendar/write-free-busy.ts";
import type { WorkBudget } from "../../lib/limits/work-budget.ts";
import { midnightIn, addDays } from "../../lib/time/datetime.ts";
import type { DavCall } from "../context.ts";
import { DavError } from "../dav-error.ts";
import { listAllObjects } from "../resources/list-objects.ts";
import type { DavCalendar } from "../resources/dav-calendar.ts";
import { findChild, type XmlElement } from "../xml/read-xml.ts";
import { CALDAV, DAV } from "../xml/write-xml.ts";
import { MAX_OCCURRENCES } from "./object-responses.ts";
import { occurrencesIn } from "./occurrences-in.ts";
import { readRange } from "./read-range.ts";

const MAX_BUSY = 20_000;

/** When the calendar says that its owner is busy (RFC 4791, section 7.10). */
export async function freeBusy(
  call: DavCall,
  calendar: DavCalendar,
  body: XmlElement,
): Promise<string> {
  const element = findChild(body, CALDAV, "time-range");
  if (!element) throw new DavError(400);
  const range = readRange(element);
  const { userId } = call.user;
  const { timeZone } = await call.deps.accounts.getSettings(userId);
  const busy: Range[] = [];
  for await (const some of listAllObjects(call, calendar, range)) {
    for (const object of await blocking(call, some))
      busy.push(...busyTimes(object, range, timeZone, call.budget));
    if (busy.length > MAX_BUSY)
      throw new DavError(403, [DAV, "number-of-matches-within-limits"]);
  }
  return writeFreeBusy(range, busy, call.deps.clock.now());
}

/** Events that are cancelled, or leave their time free, are not among them. */
async function blocking(
  call: DavCall,
  objects: readonly CalendarObject[],
): Promise<CalendarObject[]> {
  const rendered = await renderObjects(call.deps, objects);
  return rendered.filter(
    ({ event, ical }) =>
      event.status !== "cancelled" &&
      !call.budget.spend(() => /^TRANSP[^:]*:TRANSPARENT/im.test(ical)),
  );
}

function busyTimes(
  { event }: CalendarObject,
  range: Range,
  zone: string,
  budget: WorkBudget,
): Range[] {
  return occurrencesIn(event, range, zone, MAX_OCCURRENCES, budget)
    .filter(({ changed }) => changed?.isCancelled !== true)
    .map(({ start, end, changed }) => {
      const allDay = changed?.allDay ?? event.allDay;
      return allDay
        ? {
            from: midnightIn(zone, start),
            to: midnightIn(zone, addDays(end ?? start, 1)),
          }
        : { from: start, to: end ?? start };
    })
    .map(({ from, to }) => ({
      from: from < range.from ? range.from : from,
      to: to > range.to ? range.to : to,
    }))
    .filter(({ from, to }) => from < to);
}
