import {
  renderObjects,
  type RenderedObject,
} from "../../features/calendar-files/index.ts";
import type { CalendarObject } from "../../features/events/index.ts";
import { expandObject } from "../../lib/icalendar/objects/expand-object.ts";
import type { Range } from "../../lib/icalendar/occurrences.ts";
import type { WorkBudget } from "../../lib/limits/work-budget.ts";
import type { DavCall } from "../context.ts";
import { DavError } from "../dav-error.ts";
import {
  asksForData,
  createSelect,
  readWanted,
} from "../methods/select-properties.ts";
import type { DavCalendar } from "../resources/dav-calendar.ts";
import { objectResource } from "../resources/resource.ts";
import { findChild, type XmlElement } from "../xml/read-xml.ts";
import { CALDAV, DAV, type XmlText } from "../xml/write-xml.ts";
import { occurrencesIn } from "./occurrences-in.ts";
import { readRange } from "./read-range.ts";

/** Characters of all objects in one answer. */
const MAX_CHARACTERS = 64 * 1024 * 1024;
/** Occurrences of one series in one answer: three years of days. */
export const MAX_OCCURRENCES = 1100;

/** Writes the objects that a report finds, with the properties that it asks for. */
export async function createObjectResponses(call: DavCall, body: XmlElement) {
  const wanted = readWanted(body);
  const withData = asksForData(wanted);
  const data = findChild(findChild(body, DAV, "prop"), CALDAV, "calendar-data");
  const expand = findChild(data, CALDAV, "expand");
  const range = expand && readRange(expand);
  const select = await createSelect(call, wanted);
  const { userId, username } = call.user;
  const { timeZone } = await call.deps.accounts.getSettings(userId);
  let written = 0;
  const icalOf = ({ ical, event }: RenderedObject): string => {
    const text = range
      ? expanded(call.budget, ical, event, { range, timeZone })
      : ical;
    written += text.length;
    if (written > MAX_CHARACTERS)
      throw new DavError(403, [DAV, "number-of-matches-within-limits"]);
    return text;
  };
  return {
    timeZone,
    write: async (
      calendar: DavCalendar,
      objects: readonly CalendarObject[],
    ): Promise<XmlText[]> => {
      const texts = withData
        ? (await renderObjects(call.deps, objects)).map(icalOf)
        : [];
      return objects.map((object, at) =>
        select(objectResource(username, calendar, object), texts[at]),
      );
    },
  };
}

function expanded(
  budget: WorkBudget,
  ical: string,
  event: CalendarObject["event"],
  { range, timeZone }: { readonly range: Range; readonly timeZone: string },
): string {
  const most = MAX_OCCURRENCES;
  const occurrences = occurrencesIn(event, range, timeZone, most, budget);
  const repeats = event.recurrence !== null;
  return budget.spend(() =>
    expandObject(ical, { ...event, repeats }, occurrences),
  );
}
