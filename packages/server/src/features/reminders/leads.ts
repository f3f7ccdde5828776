import { KithError } from "../../lib/errors.ts";

/** Four weeks: a reminder before them is none. */
export const MAX_LEAD_MINUTES = 40_320;
/** Of one event. */
export const MAX_LEADS = 5;

/**
 * Checks the reminders that a user chose for an event.
 * @param minutes before it begins; none for no reminder
 * @returns without repetitions, the earliest reminder first
 * @throws {KithError} `bad_request`
 */
export function checkLeads(minutes: readonly number[]): number[] {
  const isFine = minutes.every(
    (it) => Number.isInteger(it) && it >= 0 && it <= MAX_LEAD_MINUTES,
  );
  if (!isFine)
    throw new KithError(
      "bad_request",
      `The parameter minutes must be between 0 and ${MAX_LEAD_MINUTES}.`,
    );
  const unique = [...new Set(minutes)].sort((a, b) => b - a);
  if (unique.length > MAX_LEADS)
    throw new KithError(
      "bad_request",
      `The parameter minutes may be given at most ${MAX_LEADS} times.`,
    );
  return unique;
}
