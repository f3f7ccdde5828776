import { readReaction, type Activity } from "@kith/activitypub";
import type { Tx } from "../../../db/db.ts";
import type { Leaving } from "../../../features/leaving/index.ts";
import type {
  Likes,
  LikeTarget,
  NewLike,
} from "../../../features/likes/index.ts";
import type { Person } from "../../../features/people/index.ts";
import type { Post, ReceivedPost } from "../../../features/posts/index.ts";
import type { Reactions } from "../../../features/reactions/index.ts";
import type { Retractions } from "../../../features/retractions/index.ts";
import { receivedTimestamp } from "../../../lib/time/clock.ts";
import { chooseGuid } from "../notes/choose-guid.ts";
import { storableText } from "../../../lib/well-formed.ts";
import { done, type InboundResult } from "../../inbound/inbound.ts";
import { askWhetherGone, notingSilence } from "../authority/fetch-own.ts";
import { isOfServer, originOf } from "../authority/origins.ts";
import { learnActor } from "../actors/learn-actor.ts";
import { findKnown, type Known } from "../records/objects.ts";
import {
  readRecipients,
  type ReadRecipientsDeps,
  type Recipients,
} from "../notes/read-recipients.ts";
import {
  fetchPost,
  OVER_QUOTA,
  type ReceiveNoteDeps,
} from "../notes/receive-note.ts";
import { receiveQuoteRevocation } from "../quotes/receive-quote-answer.ts";
import {
  deferUntilServerAnswers,
  deferUntilParentArrives,
} from "../notes/deferred.ts";

export type ReceiveReactionDeps = ReceiveNoteDeps & {
  readonly leaving: Leaving;
  readonly likes: Likes;
  readonly reactions: Reactions;
  readonly retractions: Retractions;
};

/**
 * A Like or a Dislike of a known object that its actor may see. One with an emoji (Misskey, Mitra)
 * is a like, and a reaction besides.
 * @param isSaidAnew sent by its actor itself, so that it counts although it was undone before
 */
export async function receiveLikeActivity(
  deps: ReceiveReactionDeps,
  activity: Activity,
  sender: Person,
  isSaidAnew = false,
): Promise<InboundResult> {
  const found = await admitReaction(deps, activity, sender, "a like of");
  if ("ended" in found) return found.ended;
  const { target } = found;
  const like = await readLike(deps, activity, sender, target);
  const received = await deps.likes.receive(like, isSaidAnew);
  if (received.kind === "refused") return done("like refused");
  await keepEmoji(deps, activity, sender, target, isSaidAnew);
  return done("like");
}

/** Reads a Like or a Dislike, ready to be stored. */
export async function readLike(
  { db, likes: things }: Pick<ReceiveReactionDeps, "db" | "likes">,
  activity: Activity,
  sender: Person,
  target: LikeTarget,
): Promise<NewLike> {
  return {
    ...target,
    guid: await chooseGuid({ db, things }, "Like", activity, sender),
    personId: sender.id,
    positive: activity.type === "Like",
    uri: activity.id ?? null,
  };
}

/** An EmojiReact (Pleroma, Akkoma, Hollo) is stored as a reaction: not every emoji means a like. */
export async function receiveEmoji(
  deps: ReceiveReactionDeps,
  activity: Activity,
  sender: Person,
  isSaidAnew = false,
): Promise<InboundResult> {
  const found = await admitReaction(deps, activity, sender, "a reaction to");
  if ("ended" in found) return found.ended;
  const { target } = found;
  const isKept = await keepEmoji(deps, activity, sender, target, isSaidAnew);
  return done(isKept ? "reaction" : "reaction refused");
}

async function keepEmoji(
  { reactions, retractions }: ReceiveReactionDeps,
  activity: Activity,
  sender: Person,
  target: LikeTarget,
  isSaidAnew = false,
): Promise<boolean> {
  const { emoji, emojiUrl = null } = readReaction(activity);
  const { id: uri } = activity;
  // Without an id it could never be undone.
  if (emoji === undefined || uri === undefined) return false;
  const personId = sender.id;
  const undone = { kind: "Like", guid: "", uri, personId } as const;
  const text = storableText(emoji);
  return reactions.receive(
    { ...target, uri, personId, emoji: text, emojiUrl },
    (tx) =>
      isSaidAnew
        ? retractions.takeEarly(tx, uri, personId)
        : retractions.isRetracted(tx, undone),
  );
}

/** The object of a reaction, where the reaction is allowed; else the outcome. */
async function admitReaction(
  deps: ReceiveReactionDeps,
  activity: Activity,
  sender: Person,
  what: string,
): Promise<
  { readonly target: LikeTarget } | { readonly ended: InboundResult }
> {
  const target = await findTarget(deps, activity, sender);
  if (target === "unknown")
    return {
      ended: deferUntilParentArrives(deps, activity.object?.id, sender, what),
    };
  if (target === "hidden")
    return { ended: done(`${what} what the actor may not see`) };
  return (await deps.strangers.admit(sender))
    ? { target }
    : { ended: done(OVER_QUOTA) };
}

/** Find the object of a reaction. */
async function findTarget(
  deps: ReceiveReactionDeps,
  { object }: Activity,
  sender: Person,
): Promise<LikeTarget | "unknown" | "hidden"> {
  const uri = object?.id;
  const known = uri === undefined ? undefined : await findKnown(deps, uri);
  if (!known) return "unknown";
  const target = toTarget(known);
  const viewer = { personId: sender.id, userId: null };
  return (await deps.posts.findVisible({ id: target.postId }, viewer))
    ? target
    : "hidden";
}

export function toTarget(known: Known): LikeTarget {
  return known.kind === "post"
    ? { postId: known.post.id, commentId: null }
    : { postId: known.comment.postId, commentId: known.comment.id };
}

/**
 * An Announce: only the id of the announced object counts; the object itself is fetched from its
 * own server. Its addresses say who may see the reshare, as with a Note.
 */
export async function receiveAnnounce(
  deps: ReceiveReactionDeps,
  activity: Activity,
  sender: Person,
  recipient: Person | null,
): Promise<InboundResult> {
  const uri = activity.object?.id;
  if (uri === undefined) return done("an announce of nothing");
  // Any stranger can follow a local person, and would make us fetch and store whatever it names.
  const isFollowed = await deps.contacts.hasFollowersHere(sender.id);
  const known = await findKnown(deps, uri);
  const isOurs = known !== undefined && deps.uris.isLocal(uri);
  if (!isFollowed && !isOurs) return done("nobody here follows the actor");
  // A relay that announces our own posts, or those of others, shares nothing.
  if (!isFollowed && (await isServer(deps, sender)))
    return done("passed on by a server that nobody asked");
  const audience = await readSharedWith(deps, activity, sender, recipient);
  if (!audience.public && audience.people.length === 0)
    return done("an announce for nobody here");
  if (!isFollowed && !deps.strangers.take(sender)) return done(OVER_QUOTA);
  const root =
    known?.kind === "post" ? known.post : await fetchShared(deps, uri);
  // An actor that is followed here announces an object once, and no one will send it again.
  if (root === "away")
    return deferUntilServerAnswers(deps, uri, "an announce of");
  if (!root?.public) return done("an announce of something not public");
  const share = await readShare(deps, activity, sender, { root, audience });
  const received = await deps.posts.receive(share);
  return done(received.kind === "refused" ? "reshare refused" : "reshare");
}

/** Reads the reshare of a public post, ready to be stored. */
export async function readShare(
  deps: Pick<ReceiveReactionDeps, "clock" | "db" | "posts">,
  activity: Activity,
  sender: Person,
  { root, audience }: { readonly root: Post; readonly audience: Recipients },
): Promise<ReceivedPost> {
  const { db, posts: things } = deps;
  return {
    guid: await chooseGuid({ db, things }, "Post", activity, sender),
    personId: sender.id,
    type: "reshare",
    public: audience.public,
    listed: audience.listed,
    text: "",
    providerName: "",
    rootGuid: root.rootGuid ?? root.guid,
    rootPersonId: root.rootPersonId ?? root.personId,
    uri: activity.id ?? null,
    url: activity.id ?? null,
    createdAt: receivedTimestamp(activity.published, deps.clock.now()),
    recipients: audience.people,
  };
}

/** An Announce without any address hides nothing: the announced object is public. */
export async function readSharedWith(
  deps: ReadRecipientsDeps,
  { to, cc }: Activity,
  sender: Person,
  recipient: Person | null,
): Promise<Recipients> {
  return to.length + cc.length === 0
    ? { public: true, listed: true, people: [] }
    : readRecipients(deps, { to, cc }, sender, recipient);
}

async function fetchShared(
  deps: ReceiveReactionDeps,
  uri: string,
): Promise<Post | "away" | undefined> {
  let isAway = false;
  const fetchDocument = notingSilence(
    deps.fetchDocument,
    () => void (isAway = true),
  );
  const post = await fetchPost({ ...deps, fetchDocument }, uri);
  return post ?? (isAway ? "away" : undefined);
}

async function isServer(
  deps: ReceiveReactionDeps,
  sender: Person,
): Promise<boolean> {
  return (await learnActor(deps, sender))?.type === "Application";
}

/**
 * A Delete, by the author of the object, or of the post that the object belongs to. The stored
 * record decides, never the copy in the message.
 */
export async function receiveDelete(
  deps: ReceiveReactionDeps,
  activity: Activity,
  sender: Person,
): Promise<InboundResult> {
  const uri = activity.object?.id;
  if (uri === undefined) return done("a delete of nothing");
  if (uri === activity.actor) {
    await deps.leaving.receive(sender.id);
    return done("a deleted account");
  }
  const key = { uri };
  // An event is retracted with the post that announced it.
  if (await deps.events.receivePostRetraction(key, sender.id))
    return done("delete");
  const quoting = await receiveQuoteRevocation(deps, uri, sender);
  if (quoting.length > 0) return done("a leave to quote is taken back");
  const known = await findKnown(deps, uri);
  // The author of a post may also remove comments below it, those of local people included.
  const comment = known?.kind === "comment" ? known.comment : undefined;
  if (
    comment &&
    (await deps.comments.receiveRetraction({ id: comment.id }, sender.id))
  )
    return done("delete");
  if (known || deps.uris.isLocal(uri))
    return removeWhereGone(deps, uri, known, sender);
  // A comment that waits for a moderator.
  if (await deps.comments.receiveRetraction(key, sender.id))
    return done("delete");
  const isStillUnknown = await retractEarly(deps, uri, sender, async (tx) =>
    Boolean(await findKnown(deps, uri, tx)),
  );
  return isStillUnknown
    ? done("delete of something unknown")
    : receiveDelete(deps, activity, sender);
}

/**
 * Somebody else of its author's server may have deleted something there, as the members of a group
 * in Mobilizon and moderators in Lemmy do: it is gone if that server says so.
 */
async function removeWhereGone(
  deps: ReceiveReactionDeps,
  uri: string,
  known: Known | undefined,
  { addresses }: Person,
): Promise<InboundResult> {
  const refused = done("not the author's to delete");
  const isLocal = deps.uris.isLocal(uri);
  if (!known || isLocal || !isOfServer(uri, addresses.actorUri ?? ""))
    return refused;
  const there = await askWhetherGone(deps, uri);
  if (there === "unreachable")
    return { kind: "wait", reason: "Its server does not answer" };
  if (there !== "gone") return refused;
  const { personId } = known.kind === "post" ? known.post : known.comment;
  const isRemoved =
    known.kind === "post"
      ? await deps.posts.receiveRetraction({ uri }, personId)
      : await deps.comments.receiveRetraction({ uri }, personId);
  return isRemoved ? done("deleted by its server") : refused;
}

/**
 * It may overtake the object that it deletes, which only the actor's own server can have created.
 * @returns false if the object has been stored since it was looked for
 */
export async function retractEarly(
  { db, retractions }: ReceiveReactionDeps,
  uri: string,
  { id: personId, addresses: { actorUri } }: Person,
  isHere: (tx: Tx) => Promise<boolean>,
): Promise<boolean> {
  if (actorUri === null || !isOfServer(uri, actorUri)) return true;
  // It was known here, and is gone: whatever arrives after that is new.
  const gone = { kind: "Post", guid: null, uri, personId } as const;
  if (await retractions.isRetracted(db.read, gone)) return true;
  return retractions.recordEarly(
    { uri, personId, origin: originOf(actorUri) },
    isHere,
  );
}
