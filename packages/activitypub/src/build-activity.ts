import { membersOf, wholeSeconds } from "./build-parts.ts";
import type { JsonObject, JsonValue } from "./json-types.ts";

/** The activities that we send. */
export type ActivityType =
  | "Accept"
  | "Add"
  | "Announce"
  | "Block"
  | "Create"
  | "Delete"
  | "Dislike"
  | "Flag"
  | "Follow"
  | "Ignore"
  | "Join"
  | "Leave"
  | "Like"
  | "Move"
  | "Reject"
  | "Remove"
  | "TentativeAccept"
  | "Undo"
  | "Update";

/** What an activity of ours says. All ids are absolute. */
export type ActivityInput = {
  id: string;
  type: ActivityType;
  actor: string;
  /** An id, or the object itself: see {@link buildActivity}. Only a Flag has several. */
  object: string | JsonObject | string[];
  target?: string;
  to?: string[];
  cc?: string[];
  published?: string;
  guid?: string;
};

/**
 * Builds an activity, without `@context`. What peers need as `object`: the whole object in Create and Update,
 * the Follow or Join as it was received in Accept and Reject, the whole original activity in Undo, a Tombstone
 * in Delete, and an id in all others.
 */
export function buildActivity(activity: ActivityInput): JsonObject {
  return membersOf({
    id: activity.id,
    type: activity.type,
    "diaspora:guid": activity.guid,
    actor: activity.actor,
    to: activity.to === undefined ? undefined : [...activity.to],
    cc: activity.cc === undefined ? undefined : [...activity.cc],
    published: wholeSeconds(activity.published),
    object: innerObject(activity.object),
    target: activity.target,
  });
}

/** Contexts stand on the outermost object only; a Follow that is sent back brings its own along. */
function innerObject(object: string | JsonObject | string[]): JsonValue {
  if (typeof object === "string" || Array.isArray(object)) return object;
  const { "@context": _, ...members } = object;
  return members;
}

/** Builds what stands in the place of a deleted object (ActivityPub §6.4), without `@context`. */
export function buildTombstone(tombstone: {
  id: string;
  formerType: string;
  deleted?: string;
  guid?: string;
}): JsonObject {
  return membersOf({
    id: tombstone.id,
    type: "Tombstone",
    "diaspora:guid": tombstone.guid,
    formerType: tombstone.formerType,
    deleted: wholeSeconds(tombstone.deleted),
  });
}
