import type ICAL from "ical.js";
import type { Timestamp } from "../../time/clock.ts";
import { parseCalendar } from "../calendar-data.ts";
import { writeDays, writeInUtc } from "../write-calendar.ts";
import type { Recurrence } from "../occurrences.ts";
import { WrittenZones } from "../zoned-time.ts";
import { setRecurrence } from "./edit-series.ts";
import { addAll, addZones, setStamps, setText } from "./set-properties.ts";

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
  readonly recurrence: Recurrence | null;
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
  if (before.recurrence !== after.recurrence)
    setRecurrence(root, master, before, after, writeInUtc(now));
  setStamps(master, writeInUtc(now));
  return writeRoot(root);
}

/** The text as Kith writes it. */
export function writeRoot(root: ICAL.Component): string {
  return `${root.toString()}\r\n`;
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
  addZones(root, zones);
}
