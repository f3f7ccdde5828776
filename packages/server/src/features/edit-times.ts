import { sql, type RawBuilder } from "kysely";
import type { Timestamp } from "../lib/time/clock.ts";

/** When somebody elsewhere changed a text. */
export type EditTime = {
  readonly editedAt: Timestamp;
  /**
   * Over ActivityPub nearly every server writes whole seconds: within one of them what
   * comes later, and differs, is the newer text.
   */
  readonly isWithinSecond?: boolean;
};

/** An edit takes the place of what was written before this time. */
export function overtakesUntil({
  editedAt,
  isWithinSecond = false,
}: EditTime): Timestamp {
  if (!isWithinSecond) return editedAt;
  const ms = Date.parse(editedAt);
  const widthMs = ms % 1000 === 0 ? 1000 : 1;
  return new Date(ms + widthMs).toISOString();
}

/** For `updated_at`, which never goes back. */
export function notBefore(editedAt: Timestamp): RawBuilder<Timestamp> {
  return sql`case when updated_at < ${editedAt} then ${editedAt} else updated_at end`;
}

/** When a thing was written as it comes, which may be long after it was first. */
export function laterOf(a: Timestamp, b: Timestamp): Timestamp {
  return a < b ? b : a;
}
