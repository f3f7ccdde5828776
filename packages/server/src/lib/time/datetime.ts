import { timestamp, type Timestamp } from "./clock.ts";

/** A point in time that a person wrote. */
export type Datetime = {
  readonly instant: Timestamp;
  /** The day as it was written, `YYYY-MM-DD`: not moved by an offset. */
  readonly date: string;
};

const DATETIME =
  /^((?!0000)\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}:\d{2})(?::([0-5]\d(?:\.\d{1,9})?))?([Zz]|[+-](?:[01]\d|2[0-3]):?[0-5]\d)?)?$/;

/**
 * Reads RFC 3339, and common variants: an offset without its colon, no seconds, a space for the T,
 * a date alone.
 * @param localZone the zone of a time without an offset
 * @returns undefined for anything else, such as a day that no calendar has
 */
export function parseDatetime(
  text: string,
  localZone = "UTC",
): Datetime | undefined {
  const parts = DATETIME.exec(text);
  if (!parts) return undefined;
  const [, date = "", time = "00:00", second = "00", offset] = parts;
  const wallTime = readWallTime(`${date}T${time}:${second}`);
  if (wallTime === undefined) return undefined;
  const zone = offset?.replace(/^z$/i, "UTC") ?? localZone;
  // Take the earlier of two instants with this local time; a skipped time moves forward by as much
  // as clocks skip.
  const { epochMilliseconds } = wallTime.toZonedDateTime(zone);
  const instant = new Date(epochMilliseconds);
  return isWritable(instant.getUTCFullYear())
    ? { instant: timestamp(instant), date }
    : undefined;
}

/** @returns undefined for a day that no calendar has, or an hour that no clock shows */
function readWallTime(text: string): Temporal.PlainDateTime | undefined {
  try {
    return Temporal.PlainDateTime.from(text);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** An offset can move the first and the last hours out of the years that have four digits. */
function isWritable(year: number): boolean {
  return year >= 1 && year <= 9999;
}

/** The first instant of a day, `YYYY-MM-DD`, in UTC. */
export function midnightOf(date: string): Timestamp {
  return `${date}T00:00:00.000Z`;
}

/** The first instant after a day; for the last day that can be written, its last one. */
export function endOfDay(date: string): Timestamp {
  const next = Temporal.PlainDate.from(date).add({ days: 1 });
  return isWritable(next.year)
    ? midnightOf(next.toString())
    : `${date}T23:59:59.999Z`;
}

/** The day, `YYYY-MM-DD`, that an instant falls on in a time zone. */
export function dateIn(timeZone: string, instant: Timestamp): string {
  const zoned = Temporal.Instant.from(instant).toZonedDateTimeISO(timeZone);
  // A zone can move the first and the last hours out of the years that can be written.
  return isWritable(zoned.year)
    ? zoned.toPlainDate().toString()
    : instant.slice(0, "YYYY-MM-DD".length);
}

/** The day, `YYYY-MM-DD`, so many days later; a negative number goes back. */
export function addDays(date: string, days: number): string {
  return Temporal.PlainDate.from(date).add({ days }).toString();
}

/**
 * The first instant of a day, `YYYY-MM-DD`, in a time zone: not midnight where
 * clocks are put forward at that moment (Santiago, Havana).
 */
export function midnightIn(timeZone: string, date: string): Timestamp {
  const { epochMilliseconds } =
    Temporal.PlainDate.from(date).toZonedDateTime(timeZone);
  const instant = new Date(epochMilliseconds);
  return isWritable(instant.getUTCFullYear())
    ? timestamp(instant)
    : midnightOf(date);
}

/**
 * Reads the name of a time zone of the IANA database, in any case.
 * @returns undefined if there is no such zone
 */
export function readTimeZone(name: string): string | undefined {
  if (!/^[A-Za-z][\w+/-]{0,63}$/.test(name)) return undefined;
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name)
      .timeZoneId;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/**
 * The canonical name of a zone: `Japan` is `Asia/Tokyo`, `Zulu` is `UTC`. Temporal keeps names as
 * they are.
 */
export function canonicalTimeZone(name: string): string {
  const format = new Intl.DateTimeFormat("en", { timeZone: name });
  return format.resolvedOptions().timeZone;
}
