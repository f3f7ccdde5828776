import { buildActivity } from "./build-activity.ts";
import type { JsonObject } from "../json/json-types.ts";
import { PUBLIC } from "../media-types.ts";

/** The members of every activity. */
type Act = { id: string; actor: string; published?: string; guid?: string };

/** A person's answer to an invitation to an event. */
type Answer = Act & {
  event: string;
  organizer: string;
  /** The answer is public, so the organizer's server may announce it to the other participants. */
  isPublic?: boolean;
};

function answerAddress(organizer: string, isPublic = false) {
  return { to: [organizer], ...(isPublic && { cc: [PUBLIC] }) };
}

/** Builds a Block. It notifies the blocked person's server, and so possibly the person. */
export function buildBlock(act: Act & { blocked: string }): JsonObject {
  const { blocked, ...rest } = act;
  return buildActivity({
    ...rest,
    type: "Block",
    object: blocked,
    to: [blocked],
  });
}

/** Builds a Move of the actor to another account, which must list the actor in `alsoKnownAs`. */
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
 * Builds a Flag: the account first, then the reported objects. Send it from the server's own actor, so that the
 * reporter stays anonymous.
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

/** Builds the Delete of an account, for every server that may know the account. Send it before the actor answers 410. */
export function buildActorDelete(act: Act): JsonObject {
  return buildActivity({
    ...act,
    type: "Delete",
    object: act.actor,
    to: [PUBLIC],
  });
}

/** Builds an EmojiReact: `emoji` is one emoji, or a `:name:` with its image. */
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

/** Builds a QuoteRequest to the author of the quoted post (FEP-044f); `quoting` is our whole post. */
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

/** Builds a Join. Keep its id: Mobilizon identifies the participation by it from then on. */
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

/** Builds a Leave, which reverses a Join. */
export function buildLeave(act: Answer): JsonObject {
  const { event, organizer, isPublic, ...rest } = act;
  return buildActivity({
    ...rest,
    type: "Leave",
    object: event,
    ...answerAddress(organizer, isPublic),
  });
}

/** Builds attendance as Friendica and Hubzilla send it: an answer to the event itself. */
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

/** Builds an Add or Remove of a pinned post: `featured` is the collection in the actor document. */
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
