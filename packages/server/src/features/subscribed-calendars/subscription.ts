import type { SubscriptionFault } from "../../db/schema/schema-events.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import { ZONE_DATA } from "../../lib/time/zone-periods.ts";
import type { SubscriptionId, UserId } from "../ids.ts";

/** A calendar of another server that a user reads here. Nobody else sees that. */
export type Subscription = {
  readonly id: SubscriptionId;
  readonly userId: UserId;
  /** May be secret. */
  readonly url: string;
  /** The user's own name for it, or the one that it gives itself, or its host. */
  readonly name: string;
  /** `#RRGGBB`; null without one. */
  readonly color: string | null;
  /** Its part of the address in CalDAV. */
  readonly pathName: string;
  /** The number of the last change of an object or a property. */
  readonly changes: number;
  /** Removals up to this change are forgotten. */
  readonly forgottenChanges: number;
  /** Texts that programs have written, by the name of the property. */
  readonly properties: Readonly<Record<string, string>>;
  /** When it was last read, or found unchanged. */
  readonly readAt: Timestamp | null;
  /** When it is read next. */
  readonly dueAt: Timestamp;
  /** Why it could not be read the last time. */
  readonly fault: SubscriptionFault | null;
  readonly createdAt: Timestamp;
  /** When anything of it changed. */
  readonly updatedAt: Timestamp;
};

/** The state from which a subscribed calendar is read again. */
export type SubscriptionState = {
  readonly id: SubscriptionId;
  readonly url: string;
  readonly etag: string | null;
  readonly lastModified: string | null;
  readonly digest: string | null;
  /** How its times were understood. */
  readonly understanding: string;
  /** The zone of the user now. */
  readonly currentZone: string;
  readonly changes: number;
  readonly refreshMs: number | null;
  readonly failures: number;
  readonly triedAt: Timestamp;
};

/** Times are understood in a zone, for floating ones, and by a version of zone data. */
export function understandingIn(zone: string): string {
  return `${zone}, ${ZONE_DATA}`;
}

/** A user has at most so many. */
export const MAX_SUBSCRIBED = 20;

export const SUBSCRIBED_PREFIX = "subscribed-";
