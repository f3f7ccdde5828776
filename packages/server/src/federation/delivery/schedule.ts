const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Pauses between the attempts of one delivery; after them it is tried daily. */
const PAUSES_MS = [
  5_000,
  15_000,
  45_000,
  2 * MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  HOUR,
  3 * HOUR,
  8 * HOUR,
];
const DAILY_ATTEMPTS = 7;

/**
 * How long to wait after a failed delivery, the same over both protocols.
 * @param attempts how often it was tried, from 1
 * @param ageMs since when it waits to be delivered
 * @param random from 0 up to 1: a fifth more or less, so that failures do not march in step
 * @returns milliseconds, or undefined where it has been tried for a week
 */
export function pauseAfter(
  attempts: number,
  ageMs: number,
  random: number,
): number | undefined {
  const wasTriedOften = attempts > PAUSES_MS.length + DAILY_ATTEMPTS;
  if (ageMs > DELIVERY_LIFETIME_MS) return undefined;
  if (wasTriedOften && ageMs > LEAST_LIFETIME_MS) return undefined;
  const pause = PAUSES_MS[attempts - 1] ?? DAY;
  return Math.round(pause * (0.8 + random * 0.4));
}

/** Attempts out of turn do not end a delivery before this: all pauses above, at their shortest. */
export const LEAST_LIFETIME_MS = 6 * DAY;

/** A delivery older than this has had its time: all pauses above, at their longest. */
export const DELIVERY_LIFETIME_MS = 10 * DAY;

/**
 * When to knock at a host that did not answer. In the first minute often enough
 * that a server which was restarted gets what it missed within seconds, in the
 * first hour within half a minute.
 */
export function probePause(failingForMs: number): number {
  if (failingForMs < MINUTE) return 5_000;
  if (failingForMs < HOUR) return 15_000;
  if (failingForMs < DAY) return 5 * MINUTE;
  return 30 * MINUTE;
}

/** What is put in for a host that is held, but answers, has it knocked at so soon after its last failure. */
export const KNOCK_SOON_MS = 5_000;

/** However a host answers to knocking, so often one delivery tries whether it takes anything. */
export const TRY_ANYWAY_MS = HOUR;

/** After this time without any answer a host is no longer knocked at; a message from it starts again. */
export const GIVE_UP_PROBING_AFTER_MS = 30 * DAY;

/** A host that failed no longer ago than this has failed just now: that it refuses something else does not say that it is back. */
export const JUST_NOW_MS = 15_000;

/** After so many failures in a row nothing is sent to a host until it gives a sign of life. */
export const FAILURES_UNTIL_HELD = 5;

/** So long what waits for such a host is held; then one tries all the same. */
export const HELD_MS = DAY;

/** Has a host not answered for so long that nothing is kept for it any more? */
export function isSuspended(
  { failingSince }: { readonly failingSince: string | null },
  now: Date,
): boolean {
  return (
    failingSince !== null &&
    now.getTime() - Date.parse(failingSince) > GIVE_UP_PROBING_AFTER_MS
  );
}

/** So long nothing is sent to an inbox that said it is gone; then one delivery asks again. */
export const GONE_FOR_MS = 30 * DAY;
