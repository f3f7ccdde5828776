import type ICAL from "ical.js";
import type { Timestamp } from "../../time/clock.ts";
import { parseCalendar } from "../calendar-data.ts";
import { ical } from "../libraries.ts";

/** Of an event, in instants; a day begins where its owner is. */
export type AlarmedTimes = {
  readonly start: Timestamp;
  readonly end: Timestamp;
};

/** More would be told for one event than anybody reads. */
const MAX_ALARMS = 5;
const MINUTE_MS = 60_000;

/**
 * Reads the alarms of an event (RFC 5545, section 3.6.6), in whole minutes before it begins;
 * those after its beginning are negative. Alarms that are switched off, and those that cannot
 * be read, are left out.
 * @param text of an object, which was parsed when it was stored
 * @param times for alarms at a fixed time, and for those that count from the end
 */
export function readAlarms(text: string, times: AlarmedTimes): number[] {
  const events = parseCalendar(text, Infinity).getAllSubcomponents("vevent");
  const master =
    events.find((event) => !event.getFirstProperty("recurrence-id")) ??
    events[0];
  const leads = (master?.getAllSubcomponents("valarm") ?? [])
    .filter((alarm) => !isOff(alarm))
    .flatMap((alarm) => leadOf(alarm, times) ?? []);
  return [...new Set(leads)].slice(0, MAX_ALARMS);
}

/** Apple's programs write an alarm of this action where somebody wants none. */
function isOff(alarm: ICAL.Component): boolean {
  const action = String(alarm.getFirstPropertyValue("action") ?? "");
  return action.toUpperCase() === "NONE";
}

function leadOf(
  alarm: ICAL.Component,
  { start, end }: AlarmedTimes,
): number | undefined {
  const trigger = alarm.getFirstProperty("trigger");
  const value = trigger?.getFirstValue();
  const startMs = Date.parse(start);
  if (value instanceof ical().Duration) {
    const isOfEnd =
      String(trigger?.getFirstParameter("related")).toUpperCase() === "END";
    const baseMs = isOfEnd ? Date.parse(end) : startMs;
    return minutes(startMs - (baseMs + value.toSeconds() * 1000));
  }
  // A fixed time is in UTC.
  return value instanceof ical().Time
    ? minutes(startMs - value.toUnixTime() * 1000)
    : undefined;
}

function minutes(ms: number): number | undefined {
  const rounded = Math.round(ms / MINUTE_MS);
  return Number.isSafeInteger(rounded) ? rounded : undefined;
}
