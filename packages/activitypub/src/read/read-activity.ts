import { ActivityPubError } from "../errors.ts";
import type { JsonObject } from "../json/json-types.ts";
import {
  guidOf,
  httpIdOf,
  idListOf,
  idOf,
  present,
  refsOf,
  timeOf,
  typeOf,
} from "../values.ts";
import type { ObjectRef } from "../values.ts";

/** The members that all types of activities share. None is verified: `actor` is a claim. */
export type Activity = {
  type: string;
  /** Missing in some peers' Add and Remove, and dropped when it is not an http(s) URL. */
  id?: string;
  /** Id of the actor, an http(s) URL. */
  actor: string;
  /** The first of `objects`. */
  object?: ObjectRef;
  /** All objects: a Flag has several, and so has GoToSocial's vote for several options. */
  objects: ObjectRef[];
  /** Id of the target of an Add, Remove or Move. */
  target?: string;
  /** Id of the `instrument`: the quoting object of a QuoteRequest. */
  instrument?: string;
  /** Id of the `result`: the authorization in an Accept of a QuoteRequest. */
  result?: string;
  to: string[];
  cc: string[];
  /** `YYYY-MM-DDTHH:MM:SS.sssZ` */
  published?: string;
  /** `diaspora:guid`, when well-formed. */
  guid?: string;
  raw: JsonObject;
};

const ACTIVITY_TYPES: ReadonlySet<string> = new Set([
  "Accept",
  "Add",
  "Announce",
  "Block",
  "Create",
  "Delete",
  "Dislike",
  "EmojiReact",
  "Flag",
  "Follow",
  "Ignore",
  "Invite",
  "Join",
  "Leave",
  "Like",
  "Listen",
  "Move",
  "QuoteRequest",
  "Read",
  "Reject",
  "Remove",
  "TentativeAccept",
  "TentativeReject",
  "Undo",
  "Update",
  "View",
]);

/**
 * Reads an activity of any type (ActivityPub §3, Activity Vocabulary §2); callers should ignore unknown types, not refuse
 * them. Accepts single values for lists, embedded actors, and null for absent values.
 * @throws {ActivityPubError} `not_an_activity` without one unambiguous type or without an actor whose id is http(s)
 */
export function readActivity(json: JsonObject): Activity {
  const type = typeOf(json["type"], ACTIVITY_TYPES);
  if (type === undefined) {
    throw new ActivityPubError("not_an_activity", "No single type");
  }
  const actor = httpIdOf(json["actor"]);
  if (actor === undefined) {
    throw new ActivityPubError(
      "not_an_activity",
      "No actor with an http(s) id",
    );
  }
  const objects = refsOf(json["object"]);
  return present<Activity>({
    type,
    id: httpIdOf(json["id"]),
    actor,
    object: objects[0],
    objects,
    target: idOf(json["target"]),
    instrument: idOf(json["instrument"]),
    result: idOf(json["result"]),
    to: idListOf(json["to"]),
    cc: idListOf(json["cc"]),
    published: timeOf(json["published"]),
    guid: guidOf(json),
    raw: json,
  });
}
