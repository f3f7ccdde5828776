const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * Pauses between the attempts of one delivery; after them it is retried daily.
 */
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
 * The back-off after a failed delivery, the same for both protocols.
 * @param attempts so far, from 1
 * @param ageMs since its enqueueing
 * @param random from 0 up to 1: a jitter of plus or minus a fifth
 * @returns milliseconds, or undefined after a week of attempts
 */
export function pauseAfter(
  attempts: number,
  ageMs: number,
  random: number,
): number | undefined {
  const wasTriedOften = attempts > PAUSES_MS.length + DAILY_ATTEMPTS;
  if (ageMs > DELIVERY_LIFETIME_MS) return undefined;
  if (wasTriedOften && ageMs > MIN_LIFETIME_MS) return undefined;
  const pause = PAUSES_MS[attempts - 1] ?? DAY;
  return Math.round(pause * (0.8 + random * 0.4));
}

/**
 * Attempts out of turn do not end a delivery before this age: the sum of all
 * pauses, at their shortest.
 */
export const MIN_LIFETIME_MS = 6 * DAY;

/** The greatest age of a delivery: the sum of all pauses, at their longest. */
export const DELIVERY_LIFETIME_MS = 10 * DAY;

/**
 * The pause between probes of a failing host. In the first minute they are
 * frequent enough that a restarted server gets its missed deliveries within
 * seconds, in the first hour within half a minute.
 */
export function probePause(failingForMs: number): number {
  if (failingForMs < MINUTE) return 5_000;
  if (failingForMs < HOUR) return 15_000;
  if (failingForMs < DAY) return 5 * MINUTE;
  return 30 * MINUTE;
}

/**
 * A delivery enqueued for a held host that answers probes triggers a probe this
 * soon after the last failure.
 */
export const PROBE_SOON_MS = 5_000;

/** One delivery is tried this often, whatever a host answers to probes. */
export const HALF_OPEN_EVERY_MS = HOUR;

/**
 * After this time without any answer a host is no longer probed; a message from
 * it restarts deliveries.
 */
export const GIVE_UP_PROBING_AFTER_MS = 30 * DAY;

/**
 * A failure no longer ago than this is recent: a refusal of another delivery
 * does not prove recovery.
 */
export const RECENT_FAILURE_MS = 15_000;

/** The circuit opens after so many consecutive failures. */
export const FAILURES_UNTIL_HELD = 5;

/**
 * How long an open circuit holds deliveries; then one is tried all the same.
 */
export const HELD_MS = DAY;

/** Has the host been failing for so long that deliveries to it are dropped? */
export function isGivenUp(
  { failingSince }: { readonly failingSince: string | null },
  now: Date,
): boolean {
  return (
    failingSince !== null &&
    now.getTime() - Date.parse(failingSince) > GIVE_UP_PROBING_AFTER_MS
  );
}

/** How long a gone inbox is skipped; then one delivery tries it again. */
export const GONE_FOR_MS = 30 * DAY;
