import { renderObjects } from "../../features/calendar-files/index.ts";
import type { CalendarObject } from "../../features/events/index.ts";
import type { DavCall } from "../context.ts";
import { listAllObjects } from "../resources/list-objects.ts";
import type { DavCalendar } from "../resources/dav-calendar.ts";
import { findChild, type XmlElement } from "../xml/read-xml.ts";
import { CALDAV, type XmlText } from "../xml/write-xml.ts";
import { readQueryFilter, type QueryFilter } from "./filter.ts";
import { createObjectResponses } from "./object-responses.ts";
import { occurrencesIn } from "./occurrences-in.ts";

/** The objects that match a filter (RFC 4791, section 7.8). */
export async function query(
  call: DavCall,
  calendar: DavCalendar,
  body: XmlElement,
): Promise<XmlText[]> {
  const filter = readQueryFilter(findChild(body, CALDAV, "filter"));
  const responses = await createObjectResponses(call, body);
  const written: XmlText[] = [];
  if (filter.matchesNothing) return written;
  for await (const some of listAllObjects(call, calendar, filter.range)) {
    const timely = some.filter(({ event }) => {
      const { range } = filter;
      const { timeZone } = responses;
      return (
        !range ||
        occurrencesIn(event, range, timeZone, 1, call.budget).length > 0
      );
    });
    const found = await matching(call, timely, filter);
    written.push(...(await responses.write(calendar, found)));
  }
  return written;
}

async function matching(
  call: DavCall,
  objects: readonly CalendarObject[],
  filter: QueryFilter,
): Promise<readonly CalendarObject[]> {
  if (!filter.readsText) return objects;
  const rendered = await renderObjects(call.deps, objects);
  return rendered.filter(({ ical }) =>
    call.budget.spend(() => filter.matches(ical)),
  );
}
