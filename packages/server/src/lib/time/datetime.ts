import { later, timestamp, type Timestamp } from "./clock.ts";

/** A point in time that a person wrote. */
export type Datetime = {
  readonly instant: Timestamp;
  /** The day as it was written, `YYYY-MM-DD`: not moved by an offset. */
  readonly date: string;
};

const DATETIME =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?([Zz]|[+-]\d{2}:?\d{2})?)?$/;

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/**
 * Reads RFC 3339, and what programs write in its place: an offset without its
 * colon, no seconds, a blank for the T, a date alone.
 * @param localZone what the clock shows there is meant where no offset is written
 * @returns undefined for anything else, such as a day that no calendar has
 */
export function parseDatetime(
  text: string,
  localZone = "UTC",
): Datetime | undefined {
  const parts = DATETIME.exec(text);
  if (!parts) return undefined;
  const [, year, month, day, hour, minute, second, fraction, zone] = parts;
  const date = `${year}-${month}-${day}`;
  const midnight = startOfDay(date);
  const timeMs = timeOfDay(hour, minute, second, fraction);
  const offsetMs = offsetOf(zone);
  if (!midnight || timeMs === undefined || offsetMs === undefined)
    return undefined;
  const instant =
    zone === undefined
      ? instantIn(localZone, later(midnight, timeMs))
      : later(midnight, timeMs - offsetMs);
  return isWritable(instant)
    ? { instant: timestamp(instant), date }
    : undefined;
}

/**
 * When the clocks of a zone show this time, which is given as if it were UTC: of
 * two instants the earlier one; where clocks skip it, as much later as they skip.
 */
function instantIn(timeZone: string, wallTime: Date): Date {
  const { epochMilliseconds } = Temporal.PlainDateTime.from(
    timestamp(wallTime).replace("Z", ""),
  ).toZonedDateTime(timeZone);
  return new Date(epochMilliseconds);
}

/** Midnight in UTC; undefined for what is no day of a year from 1 to 9999. */
function startOfDay(date: string): Date | undefined {
  const midnight = new Date(`${date}T00:00:00.000Z`);
  const isDay =
    !Number.isNaN(midnight.getTime()) &&
    // The 30th of February is taken for the 2nd of March.
    timestamp(midnight).startsWith(date) &&
    isWritable(midnight);
  return isDay ? midnight : undefined;
}

/** An offset can carry the first and the last hours out of the years that have four digits. */
function isWritable(date: Date): boolean {
  const year = date.getUTCFullYear();
  return year >= 1 && year <= 9999;
}

function timeOfDay(
  hour = "0",
  minute = "0",
  second = "0",
  fraction = "0",
): number | undefined {
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59)
    return undefined;
  const minutes = Number(hour) * 60 + Number(minute);
  const ms = Number(fraction.padEnd(3, "0").slice(0, 3));
  return minutes * MINUTE_MS + Number(second) * 1000 + ms;
}

function offsetOf(zone = "Z"): number | undefined {
  if (/^[Zz]$/.test(zone)) return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(-2));
  if (hours > 23 || minutes > 59) return undefined;
  const ms = (hours * 60 + minutes) * MINUTE_MS;
  return zone.startsWith("-") ? -ms : ms;
}

/** The first instant of a day, `YYYY-MM-DD`, in UTC. */
export function midnightOf(date: string): Timestamp {
  return `${date}T00:00:00.000Z`;
}

/** The first instant after a day; of the last day that can be written its last one. */
export function endOfDay(date: string): Timestamp {
  const end = later(new Date(midnightOf(date)), DAY_MS);
  return isWritable(end) ? timestamp(end) : `${date}T23:59:59.999Z`;
}

/** The day, `YYYY-MM-DD`, that an instant falls on in a time zone. */
export function dateIn(timeZone: string, instant: Timestamp): string {
  const zoned = Temporal.Instant.from(instant).toZonedDateTimeISO(timeZone);
  const date = zoned.toPlainDate().toString();
  // A zone can carry the first and the last hours out of the years that can be written.
  return startOfDay(date) ? date : instant.slice(0, 10);
}

/**
 * The first instant of a day, `YYYY-MM-DD`, in a time zone: not midnight where
 * clocks are put forward at that moment (Santiago, Havana).
 */
export function midnightIn(timeZone: string, date: string): Timestamp {
  const { epochMilliseconds } =
    Temporal.PlainDate.from(date).toZonedDateTime(timeZone);
  const instant = new Date(epochMilliseconds);
  return isWritable(instant) ? timestamp(instant) : midnightOf(date);
}

/**
 * Reads the name of a time zone of the IANA database, in whatever case.
 * @returns undefined where there is no such zone
 */
export function readTimeZone(name: string): string | undefined {
  if (!/^[A-Za-z][\w+/-]{0,63}$/.test(name)) return undefined;
  try {
    const format = new Intl.DateTimeFormat("en", { timeZone: name });
    const { timeZone } = format.resolvedOptions();
    // Some names are another one's old or new name: those stay as they were written.
    return timeZone.toLowerCase() === name.toLowerCase() ? timeZone : name;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Old names are told by their new one: `Japan` is `Asia/Tokyo`, `Zulu` is `UTC`. */
export function canonicalTimeZone(name: string): string {
  const format = new Intl.DateTimeFormat("en", { timeZone: name });
  return format.resolvedOptions().timeZone;
}
