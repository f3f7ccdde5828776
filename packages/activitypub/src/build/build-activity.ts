import { membersOf, unlessEmpty, wholeSeconds } from "./build-parts.ts";
import type { JsonObject, JsonValue } from "../json/json-types.ts";

/** The types of activities that we send. */
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

/** The input of {@link buildActivity}. All ids are absolute. */
export type ActivityInput = {
  id: string;
  type: ActivityType;
  actor: string;
  /** An id, or the object itself: see {@link buildActivity}. Only a Flag has several. */
  object: string | JsonObject | string[];
  target?: string;
  /** The quoting post of a QuoteRequest. */
  instrument?: string | JsonObject;
  /** Id of the authorization in an Accept of a QuoteRequest. */
  result?: string;
  /** The comment of a Flag, the emoji of an EmojiReact. */
  content?: string;
  /** Plain text sent with a Join. */
  participationMessage?: string;
  /** The image of a `:name:` emoji. */
  emojiUrl?: string;
  to?: string[];
  cc?: string[];
  published?: string;
  guid?: string;
};

/**
 * Builds an activity, without `@context`. Peers expect as `object`: the whole object in Create and Update, the Follow or
 * Join as received in Accept and Reject, the whole original activity in Undo, a Tombstone in Delete, and an id in all
 * others.
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

/** Only the outermost object has a context; a Follow that is sent back keeps its own. */
function innerObject(object: string | JsonObject | string[]): JsonValue {
  if (typeof object === "string" || Array.isArray(object)) return object;
  const { "@context": _, ...members } = object;
  return members;
}

/** Builds the Tombstone of a deleted object (ActivityPub §6.4), without `@context`. */
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
