/** The source of the time. Tests supply their own. */
export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };

/** RFC 3339 in UTC with milliseconds: the form in which times are stored and shown. */
export type Timestamp = string;

export function timestamp(date: Date): Timestamp {
  return date.toISOString();
}

/** The time `ms` milliseconds after `from`. */
export function later(from: Date, ms: number): Date {
  return new Date(from.getTime() + ms);
}

/** A time `ms` milliseconds after another, or that one itself if its year has five digits. */
export function shiftedBy(at: Timestamp, ms: number): Timestamp {
  const moved = later(new Date(at), ms);
  // Later years have more digits, and would come first among texts.
  return moved.getUTCFullYear() > 9999 ? at : timestamp(moved);
}

/**
 * Converts a received time to our form, never to one in the future: a post from tomorrow would stay
 * above everything else until then.
 */
export function receivedTimestamp(
  text: string | undefined,
  now: Date,
): Timestamp {
  const parsed = text === undefined ? NaN : Date.parse(text);
  if (!Number.isFinite(parsed) || parsed > now.getTime()) return timestamp(now);
  return timestamp(new Date(Math.max(parsed, 0)));
}
