import { ActivityPubError } from "../errors.ts";
import type { JsonObject } from "../json/json-types.ts";
import type { Activity } from "./read-activity.ts";
import { readTags } from "./read-parts.ts";
import type { Tag } from "./read-parts.ts";
import { isHttpUrl } from "../urls.ts";
import { guidOf, httpIdOf, idOf, present, textOf, timeOf } from "../values.ts";

/** A reaction to an object: Like, Dislike or EmojiReact. */
export type Reaction = {
  kind: "like" | "dislike" | "emoji";
  actor: string;
  /** Id of the object. */
  object: string;
  /** One emoji, or `:name:`. Misskey and Mitra send a reaction as a Like with an emoji. */
  emoji?: string;
  /** Image of a `:name:`. */
  emojiUrl?: string;
};

/** A move of an account to another. Trust it only when `to` lists `from` in `alsoKnownAs`. */
export type Move = { from: string; to: string };

/** A report to moderators. `objects` are accounts and posts, in the sender's order. */
export type Report = { actor: string; objects: string[]; comment: string };

/** A change to a collection, in practice to `featured`. */
export type CollectionChange = {
  kind: "add" | "remove";
  actor: string;
  object: string;
  /** Id of the collection. */
  target: string;
};

/** A deletion. `isActor`: the account itself was deleted. */
export type Deletion = {
  actor: string;
  object: string;
  isActor: boolean;
  formerType?: string;
  deleted?: string;
};

/** A deleted object (Activity Vocabulary, Tombstone). */
export type Tombstone = {
  id: string;
  formerType?: string;
  deleted?: string;
  guid?: string;
};

/**
 * A response to an event: Join and Leave (Mobilizon), attendance by Accept, TentativeAccept and Reject of the event
 * itself (Friendica), or the answer to a Join. The object determines the meaning of an Accept: an event, a Join of ours,
 * or possibly a Follow or a QuoteRequest.
 */
export type Participation = {
  kind: "join" | "leave" | "accept" | "maybe" | "reject" | "ignore" | "invite";
  actor: string;
  /** Id of the event, or of the answered Join. */
  object: string;
  /** The type of the embedded object, if any: `Join`, `Event`. */
  objectType?: string;
  /** Plain text sent with a Join. */
  message?: string;
};

/** Reads a Like, Dislike or EmojiReact.
 * @throws {ActivityPubError} `not_an_activity` for any other type, and without an object or a required emoji
 */
export function readReaction(activity: Activity): Reaction {
  requireType(activity, "Like", "Dislike", "EmojiReact");
  const { raw, type } = activity;
  const text =
    textOf(raw["content"], 255) ?? textOf(raw["_misskey_reaction"], 255);
  const emoji = type === "Dislike" ? undefined : text;
  if (type === "EmojiReact" && emoji === undefined) fail("No emoji");
  const tag = readTags(raw["tag"]).find((one) => isEmoji(one, emoji));
  return present<Reaction>({
    kind: type === "Dislike" ? "dislike" : emoji ? "emoji" : "like",
    actor: activity.actor,
    object: objectOf(activity),
    emoji,
    emojiUrl: tag?.iconUrl,
  });
}

function isEmoji(tag: Tag, emoji: string | undefined): boolean {
  const bare = (name: string) => name.replaceAll(/^:|:$/g, "");
  if (tag.type !== "Emoji" || emoji === undefined) return false;
  return bare(tag.name) === bare(emoji);
}

/** Reads a Block.
 * @returns the blocked actor, or the unblocked one when the Block is the object of an Undo
 * @throws {ActivityPubError} `not_an_activity`
 */
export function readBlock(activity: Activity): { by: string; blocked: string } {
  requireType(activity, "Block");
  return { by: activity.actor, blocked: objectOf(activity) };
}

/** Reads a Move. An account may only move itself.
 * @throws {ActivityPubError} `not_an_activity`
 */
export function readMove(activity: Activity): Move {
  requireType(activity, "Move");
  const from = objectOf(activity);
  const to = httpIdOf(activity.target ?? null);
  if (from !== activity.actor) fail("A Move of somebody else");
  if (to === undefined || to === from) return fail("No account to move to");
  return { from, to };
}

/** Reads a Flag.
 * @throws {ActivityPubError} `not_an_activity`
 */
export function readFlag(activity: Activity): Report {
  requireType(activity, "Flag");
  const objects = activity.objects.flatMap(({ id }) =>
    id !== undefined && isHttpUrl(id) ? [id] : [],
  );
  if (objects.length === 0) fail("Nothing is reported");
  return {
    actor: activity.actor,
    objects: [...new Set(objects)],
    comment: textOf(activity.raw["content"], 10_000) ?? "",
  };
}

/** Reads an Add or Remove. The caller must check that the target is a collection of the actor.
 * @throws {ActivityPubError} `not_an_activity`
 */
export function readCollectionChange(activity: Activity): CollectionChange {
  requireType(activity, "Add", "Remove");
  const target = httpIdOf(activity.target ?? null);
  if (target === undefined) return fail("No collection");
  return {
    kind: activity.type === "Add" ? "add" : "remove",
    actor: activity.actor,
    object: objectOf(activity),
    target,
  };
}

/** Reads a Delete, of an object or of the actor itself.
 * @throws {ActivityPubError} `not_an_activity`
 */
export function readDelete(activity: Activity): Deletion {
  requireType(activity, "Delete");
  const object = objectOf(activity);
  const embedded = activity.object?.embedded ?? {};
  return present<Deletion>({
    actor: activity.actor,
    object,
    isActor: object === activity.actor,
    formerType: textOf(embedded["formerType"], 255),
    deleted: timeOf(embedded["deleted"]),
  });
}

/** Reads the document served at the id of a deleted object.
 * @throws {ActivityPubError} `not_an_object`
 */
export function readTombstone(json: JsonObject): Tombstone {
  const id = typeof json["id"] === "string" ? httpIdOf(json["id"]) : undefined;
  if (id === undefined || textOf(json["type"]) !== "Tombstone") {
    throw new ActivityPubError("not_an_object", "Not a Tombstone");
  }
  return present<Tombstone>({
    id,
    formerType: textOf(json["formerType"], 255),
    deleted: timeOf(json["deleted"]),
    guid: guidOf(json),
  });
}

const PARTICIPATIONS: ReadonlyMap<string, Participation["kind"]> = new Map([
  ["Join", "join"],
  ["Leave", "leave"],
  ["Accept", "accept"],
  ["TentativeAccept", "maybe"],
  ["Reject", "reject"],
  ["TentativeReject", "reject"],
  ["Ignore", "ignore"],
  ["Invite", "invite"],
]);

/** Reads an activity that may concern participation in an event.
 * @throws {ActivityPubError} `not_an_activity`
 */
export function readParticipation(activity: Activity): Participation {
  const kind = PARTICIPATIONS.get(activity.type);
  if (kind === undefined) return fail(`Not about an event: ${activity.type}`);
  return present<Participation>({
    kind,
    actor: activity.actor,
    object: objectOf(activity),
    objectType: textOf(activity.object?.embedded?.["type"], 255),
    message: textOf(activity.raw["participationMessage"], 10_000),
  });
}

function requireType(activity: Activity, ...types: string[]): void {
  if (!types.includes(activity.type)) {
    fail(`Not ${types.join(" or ")}: ${activity.type}`);
  }
}

function objectOf(activity: Activity): string {
  const id = httpIdOf(idOf(activity.object?.id ?? null) ?? null);
  return id ?? fail("No object with an http(s) id");
}

function fail(message: string): never {
  throw new ActivityPubError("not_an_activity", message);
}
