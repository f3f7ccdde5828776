import type ICAL from "ical.js";
import { ical } from "../libraries.ts";
import { parseCalendar } from "../calendar-data.ts";
import { writeRoot } from "./edit-object.ts";
import type { Property } from "../ical-text.ts";
import { readTime } from "../object-time.ts";
import type { Occurrence, Series } from "../occurrences.ts";
import { writeDays, writeInUtc } from "../write-calendar.ts";
import { zonesOf } from "../zone-names.ts";

/**
 * Writes occurrences as events of their own, in UTC (RFC 4791, section 9.6.5).
 * @param series of the object that `text` holds
 */
export function expandObject(
  text: string,
  series: Pick<Series, "allDay" | "timeZone"> & { readonly repeats: boolean },
  occurrences: readonly Occurrence[],
): string {
  const root = parseCalendar(text, Infinity);
  const events = root.getAllSubcomponents("vevent");
  const overrides = new Map(
    events.flatMap((event) => {
      const id = event.getFirstProperty("recurrence-id");
      if (!id) return [];
      const time = readTime(id, zonesOf(root, series.timeZone));
      const at = series.allDay ? time.date : time.instantIn(series.timeZone);
      return [[at, event] as const];
    }),
  );
  const [first] = events;
  const master =
    events.find((event) => !event.getFirstProperty("recurrence-id")) ?? first;
  root.removeAllSubcomponents("vevent");
  root.removeAllSubcomponents("vtimezone");
  for (const occurrence of occurrences) {
    const source = overrides.get(occurrence.at) ?? master;
    if (source)
      root.addSubcomponent(writeOccurrence(source, occurrence, series));
  }
  return writeRoot(root);
}

const OF_SERIES = [
  ...["rrule", "rdate", "exdate", "exrule", "recurrence-id"],
  ...["dtstart", "dtend", "duration"],
];

function writeOccurrence(
  source: ICAL.Component,
  { at, start, end, changed }: Occurrence,
  series: Pick<Series, "allDay"> & { readonly repeats: boolean },
): ICAL.Component {
  const event = new (ical().Component)(
    structuredClone(source.toJSON()) as unknown[],
  );
  for (const name of OF_SERIES) event.removeAllProperties(name);
  const allDay = changed?.allDay ?? series.allDay;
  const times: Property[] = allDay
    ? writeDays(start, end)
    : [
        ["dtstart", {}, "date-time", writeInUtc(start)],
        ...(end !== null && end > start
          ? [["dtend", {}, "date-time", writeInUtc(end)] as const]
          : []),
      ];
  if (series.repeats)
    times.push(
      series.allDay
        ? ["recurrence-id", {}, "date", at]
        : ["recurrence-id", {}, "date-time", writeInUtc(at)],
    );
  for (const property of times)
    event.addProperty(new (ical().Property)([...property]));
  return event;
}
