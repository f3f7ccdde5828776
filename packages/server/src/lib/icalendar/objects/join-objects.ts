import { ical } from "../libraries.ts";
import { parseCalendar } from "../calendar-data.ts";
import { writeRoot } from "./edit-object.ts";

/** Joins the events of many objects in one calendar; each zone is defined once. */
export function joinObjects(name: string, texts: readonly string[]): string {
  const joined = new (ical().Component)("vcalendar");
  joined.addPropertyWithValue("version", "2.0");
  joined.addPropertyWithValue("prodid", "-//Kith//Kith 1.0//EN");
  joined.addPropertyWithValue("x-wr-calname", name);
  const zones = new Set<string>();
  for (const text of texts)
    for (const component of parseCalendar(
      text,
      Infinity,
    ).getAllSubcomponents()) {
      const tzid = String(component.getFirstPropertyValue("tzid") ?? "");
      if (component.name === "vtimezone" && zones.has(tzid)) continue;
      if (component.name === "vtimezone") zones.add(tzid);
      joined.addSubcomponent(component);
    }
  return writeRoot(joined);
}
