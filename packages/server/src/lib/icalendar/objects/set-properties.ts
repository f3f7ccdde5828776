import type ICAL from "ical.js";
import { cleanText, type Component, type Property } from "../ical-text.ts";
import { ical } from "../libraries.ts";
import type { WrittenZones } from "../zoned-time.ts";

export function setText(
  event: ICAL.Component,
  name: "description" | "location" | "summary",
  text: string,
): void {
  // The same in HTML would be out of date.
  if (name === "description") event.removeAllProperties("x-alt-desc");
  if (text === "") event.removeAllProperties(name);
  else event.updatePropertyWithValue(name, cleanText(text));
}

/** The zones that the object does not define yet. */
export function addZones(root: ICAL.Component, zones: WrittenZones): void {
  const known = new Set(
    root
      .getAllSubcomponents("vtimezone")
      .map((zone) => zone.getFirstPropertyValue("tzid")),
  );
  for (const zone of zones.components()) {
    const made = componentOf(zone);
    if (!known.has(made.getFirstPropertyValue("tzid")))
      root.addSubcomponent(made);
  }
}

export function addAll(
  event: ICAL.Component,
  properties: readonly Property[],
): void {
  for (const property of properties)
    event.addProperty(new (ical().Property)([...property]));
}

function componentOf(component: Component): ICAL.Component {
  return new (ical().Component)(
    structuredClone(component) as unknown as unknown[],
  );
}

export /** @param stamp in UTC, as iCalendar writes it */
function setStamps(event: ICAL.Component, stamp: string): void {
  const sequence = Number(event.getFirstPropertyValue("sequence") ?? 0);
  const next = Number.isSafeInteger(sequence) ? sequence + 1 : 1;
  for (const name of ["sequence", "dtstamp", "last-modified"])
    event.removeAllProperties(name);
  addAll(event, [
    ["sequence", {}, "integer", next],
    ["dtstamp", {}, "date-time", stamp],
    ["last-modified", {}, "date-time", stamp],
  ]);
}
