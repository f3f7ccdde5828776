import { timestamp, type Timestamp } from "../lib/time/clock.ts";
import { KithError } from "../lib/errors.ts";
import { parseDatetime } from "../lib/time/datetime.ts";

/**
 * Reads until when something is to last.
 * @returns null for good
 * @throws {KithError} `invalid_datetime`, or `bad_request` for the past
 */
export function readEndTime(text = "", now: Date): Timestamp | null {
  if (text.trim() === "") return null;
  const end = parseDatetime(text.trim());
  if (!end)
    throw new KithError(
      "invalid_datetime",
      "The parameter until must be a date and time such as 2026-07-04T18:30:00Z.",
    );
  if (end.instant <= timestamp(now))
    throw new KithError(
      "bad_request",
      "The parameter until must be in the future.",
    );
  return end.instant;
}
