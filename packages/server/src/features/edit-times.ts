import { sql, type RawBuilder } from "kysely";
import { timestamp, type Timestamp } from "../lib/time/clock.ts";

/** When a remote author edited a text. */
export type EditTime = {
  readonly editedAt: Timestamp;
  /**
   * Nearly all ActivityPub servers write whole seconds: within the same second, an edit
   * that arrives later and differs is the newer text.
   */
  readonly isWithinSecond?: boolean;
};

/** Returns the time before which a text must have been written for the edit to replace it. */
export function overtakesUntil({
  editedAt,
  isWithinSecond = false,
}: EditTime): Timestamp {
  if (!isWithinSecond) return editedAt;
  const ms = Date.parse(editedAt);
  const widthMs = ms % 1000 === 0 ? 1000 : 1;
  return new Date(ms + widthMs).toISOString();
}

/** Keeps `updated_at` from going back. */
export function notBefore(editedAt: Timestamp): RawBuilder<Timestamp> {
  return sql`case when updated_at < ${editedAt} then ${editedAt} else updated_at end`;
}

/**
 * Returns the later of two times, for an edit of an object that may arrive long after it
 * was created.
 */
export function laterOf(a: Timestamp, b: Timestamp): Timestamp {
  return a < b ? b : a;
}

/**
 * Returns the time of a local edit. Other servers compare whole seconds, so each version
 * has a later second than the one before, even within one second.
 */
export function nextEditTime(previous: Timestamp, now: Date): Timestamp {
  const next = Math.floor(Date.parse(previous) / 1000) * 1000 + 1000;
  return timestamp(new Date(Math.max(now.getTime(), next)));
}

/** Returns when an object was last edited; undefined if it never was. */
export function editedAtOf({
  createdAt,
  updatedAt,
}: {
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
}): Timestamp | undefined {
  return updatedAt > createdAt ? updatedAt : undefined;
}
