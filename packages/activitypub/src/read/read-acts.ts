import { ActivityPubError } from "../errors.ts";
import type { JsonObject } from "../json/json-types.ts";
import type { Activity } from "./read-activity.ts";
import { readTags } from "./read-parts.ts";
import type { Tag } from "./read-parts.ts";
import { isHttpUrl } from "../urls.ts";
import { guidOf, httpIdOf, idOf, present, textOf, timeOf } from "../values.ts";

/** An opinion on an object: Like, Dislike or EmojiReact. */
export type Reaction = {
  kind: "like" | "dislike" | "emoji";
  actor: string;
  /** Id of what it is about. */
  object: string;
  /** One emoji, or `:name:`. A Like with one is Misskey's and Mitra's way to react. */
  emoji?: string;
  /** Picture of a `:name:`. */
  emojiUrl?: string;
};

/** An account that goes on as another one. Believe it when `to` lists `from` in `alsoKnownAs`. */
export type Move = { from: string; to: string };

/** A report to moderators. `objects` are accounts and posts, in the sender's order. */
export type Report = { actor: string; objects: string[]; comment: string };

/** A change of a collection, in practice of `featured`. */
export type CollectionChange = {
  kind: "add" | "remove";
  actor: string;
  object: string;
  /** Id of the collection. */
  target: string;
};

/** What was deleted. `isActor`: the account itself is gone. */
export type Deletion = {
  actor: string;
  object: string;
  isActor: boolean;
  formerType?: string;
  deleted?: string;
};

/** What remains of an object (Activity Vocabulary, Tombstone). */
export type Tombstone = {
  id: string;
  formerType?: string;
  deleted?: string;
  guid?: string;
};

/**
 * Something about an event: joining by Join and Leave (Mobilizon), attending by Accept, TentativeAccept and Reject of
 * the event itself (Friendica), or the answer to a Join. Which of these an Accept is, its object tells: an event or a
 * Join of ours; it may be the answer to a Follow or to a QuoteRequest just as well.
 */
export type Participation = {
  kind: "join" | "leave" | "accept" | "maybe" | "reject" | "ignore" | "invite";
  actor: string;
  /** Id of the event, or of the Join that is answered. */
  object: string;
  /** What the object says it is, when it is embedded: `Join`, `Event`. */
  objectType?: string;
  /** Plain text that goes with a Join. */
  message?: string;
};

/** Like, Dislike or EmojiReact.
 * @throws {ActivityPubError} `not_an_activity` for any other type, and without an object or an emoji to react with
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
 * @returns the actor who is blocked, or is so no longer when the Block stands in an Undo
 * @throws {ActivityPubError} `not_an_activity`
 */
export function readBlock(activity: Activity): { by: string; blocked: string } {
  requireType(activity, "Block");
  return { by: activity.actor, blocked: objectOf(activity) };
}

/** Reads a Move, by which an account may only move itself.
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

/** Reads an Add or Remove. That the target is a collection of the actor's is for the caller to check.
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

/** Reads what an id answers when its object is gone.
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

/** Reads what may concern taking part in an event.
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
