import { membersOf, unlessEmpty, wholeSeconds } from "./build-parts.ts";
import type { JsonObject, JsonValue } from "../json/json-types.ts";

/** The activities that we send. */
export type ActivityType =
  | "Accept"
  | "Add"
  | "Announce"
  | "Block"
  | "Create"
  | "Delete"
  | "Dislike"
  | "EmojiReact"
  | "Flag"
  | "Follow"
  | "Ignore"
  | "Invite"
  | "Join"
  | "Leave"
  | "Like"
  | "Move"
  | "QuoteRequest"
  | "Reject"
  | "Remove"
  | "TentativeAccept"
  | "TentativeReject"
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
  /** The quoting post of a QuoteRequest. */
  instrument?: string | JsonObject;
  /** Id of the authorisation in an Accept of a QuoteRequest. */
  result?: string;
  /** The comment of a Flag, the emoji of an EmojiReact. */
  content?: string;
  /** Plain text that goes with a Join. */
  participationMessage?: string;
  /** The picture of an emoji that is a `:name:`. */
  emojiUrl?: string;
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
    instrument:
      activity.instrument === undefined
        ? undefined
        : innerObject(activity.instrument),
    result: activity.result,
    content: unlessEmpty(activity.content),
    participationMessage: unlessEmpty(activity.participationMessage),
    tag: emojiTag(activity.content, activity.emojiUrl),
  });
}

function emojiTag(
  name: string | undefined,
  url: string | undefined,
): JsonObject[] | undefined {
  if (name === undefined || url === undefined) return undefined;
  return [{ type: "Emoji", name, icon: { type: "Image", url } }];
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
