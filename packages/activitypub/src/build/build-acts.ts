import { buildActivity } from "./build-activity.ts";
import type { JsonObject } from "../json/json-types.ts";
import { PUBLIC } from "../media-types.ts";

/** What every activity needs. */
type Act = { id: string; actor: string; published?: string; guid?: string };

/** Whether somebody comes to an event. */
type Answer = Act & {
  event: string;
  organizer: string;
  /** Everybody may know it; then the organizer's server may tell the others. */
  isPublic?: boolean;
};

function answerAddress(organizer: string, isPublic = false) {
  return { to: [organizer], ...(isPublic && { cc: [PUBLIC] }) };
}

/** Builds a Block, which tells the blocked person's server, and so the person. */
export function buildBlock(act: Act & { blocked: string }): JsonObject {
  const { blocked, ...rest } = act;
  return buildActivity({
    ...rest,
    type: "Block",
    object: blocked,
    to: [blocked],
  });
}

/** Builds a Move of the actor to another account, which has to list the actor in `alsoKnownAs`. */
export function buildMove(
  act: Act & { target: string; followersUri: string },
): JsonObject {
  const { target, followersUri, ...rest } = act;
  return buildActivity({
    ...rest,
    type: "Move",
    object: act.actor,
    target,
    to: [followersUri],
  });
}

/**
 * Builds a Flag: the account first, then what of it is reported. Let the server's own actor send it, so that nobody
 * learns who reported.
 */
export function buildFlag(
  act: Act & { account: string; objects: string[]; comment?: string },
): JsonObject {
  const { account, objects, comment, ...rest } = act;
  return buildActivity({
    ...rest,
    type: "Flag",
    object: [account, ...objects],
    to: [account],
    ...(comment !== undefined && { content: comment }),
  });
}

/** Builds the Delete of an account, for every server that may know it. Send it before the actor answers 410. */
export function buildActorDelete(act: Act): JsonObject {
  return buildActivity({
    ...act,
    type: "Delete",
    object: act.actor,
    to: [PUBLIC],
  });
}

/** Builds an EmojiReact: `emoji` is one emoji, or a `:name:` with its picture. */
export function buildEmojiReact(
  act: Act & {
    object: string;
    author: string;
    emoji: string;
    emojiUrl?: string;
  },
): JsonObject {
  const { author, emoji, ...rest } = act;
  return buildActivity({
    ...rest,
    type: "EmojiReact",
    to: [author],
    content: emoji,
  });
}

/** Builds a QuoteRequest to the author of what is quoted (FEP-044f); `quoting` is our post, whole. */
export function buildQuoteRequest(
  act: Act & { quoted: string; author: string; quoting: JsonObject },
): JsonObject {
  const { quoted, author, quoting, ...rest } = act;
  return buildActivity({
    ...rest,
    type: "QuoteRequest",
    object: quoted,
    instrument: quoting,
    to: [author],
  });
}

/** Builds a Join. Keep its id: Mobilizon knows the participation by it, in the answer and ever after. */
export function buildJoin(act: Answer & { message?: string }): JsonObject {
  const { event, organizer, isPublic, message, ...rest } = act;
  return buildActivity({
    ...rest,
    type: "Join",
    object: event,
    ...answerAddress(organizer, isPublic),
    ...(message !== undefined && { participationMessage: message }),
  });
}

/** Builds a Leave, which ends what a Join began. */
export function buildLeave(act: Answer): JsonObject {
  const { event, organizer, isPublic, ...rest } = act;
  return buildActivity({
    ...rest,
    type: "Leave",
    object: event,
    ...answerAddress(organizer, isPublic),
  });
}

/** Builds attendance in the manner of Friendica and Hubzilla: an answer to the event itself. */
export function buildAttendance(
  act: Answer & { answer: "Accept" | "TentativeAccept" | "Reject" },
): JsonObject {
  const { event, organizer, isPublic, answer, ...rest } = act;
  return buildActivity({
    ...rest,
    type: answer,
    object: event,
    ...answerAddress(organizer, isPublic),
  });
}

/** Builds an Add or Remove of a pinned post: `featured` is that of the actor's document. */
export function buildCollectionChange(
  act: Act & {
    kind: "add" | "remove";
    object: string;
    target: string;
    to: string[];
  },
): JsonObject {
  const { kind, ...rest } = act;
  return buildActivity({ ...rest, type: kind === "add" ? "Add" : "Remove" });
}
