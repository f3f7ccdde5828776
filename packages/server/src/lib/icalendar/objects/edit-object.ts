import type ICAL from "ical.js";
import { ical } from "../libraries.ts";
import type { Timestamp } from "../../time/clock.ts";
import { parseCalendar } from "../calendar-data.ts";
import { cleanText, type Component, type Property } from "../ical-text.ts";
import { writeDays, writeInUtc } from "../write-calendar.ts";
import { WrittenZones } from "../zoned-time.ts";

/** The details of an event that Kith can change. */
export type EditedEvent = {
  readonly summary: string;
  readonly description: string;
  readonly location: string;
  readonly allDay: boolean;
  /** An instant, or `YYYY-MM-DD` for an all-day event. */
  readonly start: string;
  /** In the format of the start; of an all-day event, its last day. */
  readonly end: string | null;
  readonly timeZone: string;
};

const TEXTS = ["summary", "description", "location"] as const;
const TIMES = ["allDay", "start", "end", "timeZone"] as const;

/**
 * Writes the changed details of an event into its text. Everything else stays: alarms,
 * guests, rules, and the properties that Kith does not know.
 * @param text of the object before, which was parsed when it was stored
 */
export function editObject(
  text: string,
  before: EditedEvent,
  after: EditedEvent,
  now: Timestamp,
): string {
  const root = parseCalendar(text, Infinity);
  const events = root.getAllSubcomponents("vevent");
  const master =
    events.find((event) => !event.getFirstProperty("recurrence-id")) ??
    events[0];
  if (!master) throw new Error("The stored object has no event");
  for (const name of TEXTS)
    if (before[name] !== after[name]) setText(master, name, after[name]);
  if (TIMES.some((name) => before[name] !== after[name]))
    setTimes(root, master, after);
  setStamps(master, now);
  return writeRoot(root);
}

/** The text as Kith writes it. */
export function writeRoot(root: ICAL.Component): string {
  return `${root.toString()}\r\n`;
}

function setText(
  event: ICAL.Component,
  name: (typeof TEXTS)[number],
  text: string,
): void {
  // The same in HTML would be out of date.
  if (name === "description") event.removeAllProperties("x-alt-desc");
  if (text === "") event.removeAllProperties(name);
  else event.updatePropertyWithValue(name, cleanText(text));
}

function setTimes(
  root: ICAL.Component,
  event: ICAL.Component,
  { allDay, start, end, timeZone }: EditedEvent,
): void {
  for (const name of ["dtstart", "dtend", "duration"])
    event.removeAllProperties(name);
  if (allDay) {
    addAll(event, writeDays(start, end));
    return;
  }
  const zones = new WrittenZones();
  const times = [zones.timeProperty("dtstart", start, timeZone)];
  if (end !== null && end > start)
    times.push(zones.timeProperty("dtend", end, timeZone));
  addAll(event, times);
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

function addAll(event: ICAL.Component, properties: readonly Property[]): void {
  for (const property of properties)
    event.addProperty(new (ical().Property)([...property]));
}

function componentOf(component: Component): ICAL.Component {
  return new (ical().Component)(
    structuredClone(component) as unknown as unknown[],
  );
}

function setStamps(event: ICAL.Component, now: Timestamp): void {
  const sequence = Number(event.getFirstPropertyValue("sequence") ?? 0);
  const next = Number.isSafeInteger(sequence) ? sequence + 1 : 1;
  const stamp = writeInUtc(now);
  for (const name of ["sequence", "dtstamp", "last-modified"])
    event.removeAllProperties(name);
  addAll(event, [
    ["sequence", {}, "integer", next],
    ["dtstamp", {}, "date-time", stamp],
    ["last-modified", {}, "date-time", stamp],
  ]);
}
