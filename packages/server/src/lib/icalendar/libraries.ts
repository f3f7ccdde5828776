import type ICAL from "ical.js";
import type * as RRules from "rrule-temporal";
import type * as Zones from "windows-iana";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { once } from "../once.ts";

// Calendars are a small part of what most servers do, and their libraries take 15 MB: they
// are loaded when the first calendar is read or written.

const require = createRequire(import.meta.url);

/** Loads the module that an import of this name would. */
const load = (name: string): unknown =>
  require(fileURLToPath(import.meta.resolve(name)));

/**
 * The library does not count the space that begins a continuation line, and a line has at most
 * 75 octets.
 */
const LINE_LENGTH = 74;

/** iCalendar (RFC 5545). */
export const ical = once(() => {
  const library = (load("ical.js") as { default: typeof ICAL }).default;
  library.foldLength = LINE_LENGTH;
  return library;
});

/** Recurrences (RFC 5545, section 3.8.5.3). */
export const recurrenceRules = once(
  () => load("rrule-temporal") as typeof RRules,
);

/** The time zones of Windows by their names. */
export const windowsZones = once(() => load("windows-iana") as typeof Zones);
