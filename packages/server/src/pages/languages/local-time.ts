import type { Timestamp } from "../../lib/time/clock.ts";
import { currentTimeZone } from "./reader.ts";

/** @returns the moment of a local time in the reader's zone; undefined if it is none */
export function momentOf(local: string): string | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(local)) return undefined;
  try {
    const time = Temporal.PlainDateTime.from(local, { overflow: "reject" });
    return time.toZonedDateTime(currentTimeZone()).toInstant().toString();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The local time of a moment in the reader's zone, to the minute, such as 2027-01-31T18:30. */
export function toLocal(at: Timestamp): string {
  return Temporal.Instant.from(at)
    .toZonedDateTimeISO(currentTimeZone())
    .toPlainDateTime()
    .toString({ smallestUnit: "minute" });
}
