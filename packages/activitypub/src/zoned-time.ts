import { wholeSeconds } from "./build/build-parts.ts";

const MINUTE_NS = 60_000_000_000;

/**
 * Formats an instant with the offset of a zone at that moment, `2026-07-14T17:30:00+02:00`: the offset fixes the instant
 * for peers without time zone support. Without a zone, or in an unknown one, it is formatted in UTC.
 * @throws {RangeError} when the text is not a time
 */
export function zonedTime(time: string, zone: string | undefined): string {
  const utc = wholeSeconds(time);
  const zoned = zone === undefined ? undefined : inZone(utc, zone);
  // RFC 3339 cannot write offsets to the second, as there were before zones, nor the year 10000.
  return zoned === undefined ||
    zoned.offsetNanoseconds === 0 ||
    zoned.offsetNanoseconds % MINUTE_NS !== 0 ||
    zoned.year > 9999
    ? utc
    : zoned.toString({ smallestUnit: "second", timeZoneName: "never" });
}

function inZone(utc: string, zone: string): Temporal.ZonedDateTime | undefined {
  try {
    return Temporal.Instant.from(utc).toZonedDateTimeISO(zone);
  } catch (error) {
    // Do not drop an event because its sender made up a zone.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
