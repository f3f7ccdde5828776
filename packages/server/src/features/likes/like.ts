import { type Viewer, hasBlocked } from "../visibility/index.ts";
import type { Db, Tx } from "../../db/db.ts";
import { inTransaction } from "../../db/in-transaction.ts";
import { lockKey } from "../../db/dialect.ts";
import { lockNames } from "../../db/lock-names.ts";
import { timestamp, type Clock } from "../../lib/time/clock.ts";
import { KithError } from "../../lib/errors.ts";
import { newGuid } from "../../lib/guids.ts";
import type { CommentKey, Comments } from "../comments/index.ts";
import type { Facts } from "../facts.ts";
import { notFoundIfGone } from "../gone-meanwhile.ts";
import type { PersonId } from "../ids.ts";
import { isLocal, type Indexing } from "../indexing/index.ts";
import { freeClaimedGuid, isGuidKeptFrom } from "../taken-guid-store.ts";
import { refuseMoved } from "../moved.ts";
import type { Author, Post, PostKey, Posts, Received } from "../posts/index.ts";
import type { Retractions } from "../retractions/index.ts";
import type { Texts } from "../texts/index.ts";
import {
  deleteLike,
  findLike,
  findLikeOf,
  insertLike,
  type Like,
  type LikeKey,
  type LikeTarget,
  type NewLike,
} from "./like-store.ts";

export type LikeDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly facts: Facts;
  readonly posts: Posts;
  readonly comments: Comments;
  readonly retractions: Retractions;
  readonly indexing: Pick<Indexing, "renewPost">;
  readonly texts: Pick<Texts, "isAnyLocal">;
};

/** The target of a like, as a request names it. */
export type LikeableKey =
  { readonly post: PostKey } | { readonly comment: CommentKey };

/** @throws {KithError} `not_found` if the viewer may not see it */
export async function getTarget(
  { db, posts, comments }: LikeDeps,
  key: LikeableKey,
  viewer: Viewer,
  reader = db.read,
): Promise<LikeTarget> {
  if ("post" in key) {
    const post = await posts.findVisible(key.post, viewer, reader);
    if (post) return { postId: post.id, commentId: null };
  } else {
    const comment = await comments.findVisible(key.comment, viewer, reader);
    if (comment) return { postId: comment.postId, commentId: comment.id };
  }
  throw new KithError("not_found", "No such thing to like.");
}

/**
 * Likes or dislikes. Repeating one of the same sign returns the existing one; one of the
 * other sign replaces it, and the old one is retracted.
 */
export async function like(
  deps: LikeDeps,
  by: Author,
  key: LikeableKey,
  positive: boolean,
): Promise<Like> {
  const { db } = deps;
  const writing = db.transaction(async (tx) => {
    await refuseMoved(tx, by.personId);
    const target = await getTarget(deps, key, by, tx);
    await lockTarget(db, tx, target, by.personId);
    const known = await findLikeOf(tx, target, by.personId);
    if (known?.positive === positive) return known;
    if (known) await retract(deps, tx, known, by.personId);
    return store(deps, tx, {
      guid: newGuid(),
      ...target,
      personId: by.personId,
      positive,
      uri: null,
    });
  });
  return notFoundIfGone(writing);
}

/**
 * @returns the retracted like
 * @throws {KithError} `not_found` if it is not this user's like
 */
export async function unlike(
  deps: LikeDeps,
  by: Author,
  key: { readonly guid: string } | LikeableKey,
): Promise<Like> {
  return deps.db.transaction(async (tx) => {
    const known =
      "guid" in key
        ? await findLike(tx, key)
        : await findLikeOf(tx, await getTarget(deps, key, by, tx), by.personId);
    if (known?.personId !== by.personId)
      throw new KithError("not_found", "No such like.");
    if (!(await retract(deps, tx, known, by.personId)))
      throw new KithError("not_found", "Taken back meanwhile.");
    return known;
  });
}

/**
 * Stores a remote like whose author has been authenticated, once.
 * @param isSaidAnew its author sends it just now: a like retracted before counts again
 */
export async function receiveRemoteLike(
  deps: LikeDeps,
  received: NewLike,
  isSaidAnew = false,
  outer?: Tx,
): Promise<Received<Like>> {
  const { db, facts, posts, retractions } = deps;
  return inTransaction(db, outer, async (tx) => {
    const { guid, personId } = received;
    await lockTarget(db, tx, received, personId);
    await lockNames(tx, db.dialect, [guid, received.uri]);
    const same = await findLike(tx, { guid });
    const isFreed =
      same !== undefined &&
      same.personId !== personId &&
      (await freeClaimedGuid(tx, received));
    if (same && !isFreed)
      return same.personId === personId
        ? { kind: "known", value: same }
        : { kind: "refused", reason: "The Guid is another author's" };
    if (await isGuidKeptFrom(tx, "Like", received))
      return { kind: "refused", reason: "The Guid is that of something else" };
    const post = await posts.find({ id: received.postId }, tx);
    if (post && (await hasBlocked(tx, post.personId, personId)))
      return { kind: "refused", reason: "Blocked by the author of the post" };
    const isRetracted =
      isSaidAnew && received.uri !== null
        ? await retractions.takeEarly(tx, received.uri, personId)
        : await retractions.isRetracted(tx, { kind: "Like", ...received });
    if (isRetracted) return { kind: "refused", reason: "It was retracted" };
    const earlier = await findLikeOf(tx, received, personId);
    // Its author's server may have lost the first one; the newer one wins.
    if (earlier && isSameLike(earlier, received))
      return { kind: "known", value: earlier };
    // Where the old one went nobody would take a second one beside it; and whoever
    // sends the old one again brings nothing back.
    const isConcerning = await concernsSomebodyHere(deps, tx, received, post);
    if (earlier) await retract(deps, tx, earlier, personId, isConcerning);
    // Servers that got the retraction accept nothing under this Guid any more.
    const gone = { kind: "Like", guid, uri: null, personId } as const;
    const isGuidGone = isSaidAnew && (await retractions.isRetracted(tx, gone));
    const named = isGuidGone ? { ...received, guid: newGuid() } : received;
    const value = await store(deps, tx, named, isConcerning);
    await facts.noteArrival(tx, [guid]);
    return { kind: "stored", value };
  });
}

/** Has its author, or an author of what it likes, an account here? */
async function concernsSomebodyHere(
  { comments, texts }: LikeDeps,
  tx: Tx,
  { commentId, personId }: Pick<Like, "commentId" | "personId">,
  post: Post | undefined,
): Promise<boolean> {
  const comment =
    commentId === null ? undefined : await comments.find({ id: commentId }, tx);
  const authors = [post, comment].flatMap((one) => one?.personId ?? []);
  return texts.isAnyLocal(tx, [personId, ...authors]);
}

function isSameLike(a: Like, b: NewLike): boolean {
  return a.uri !== null && a.uri === b.uri && a.positive === b.positive;
}

/**
 * @param key also of the thing that this person likes
 * @returns false if there is no such like, or this person may not retract it
 */
export async function receiveLikeRetraction(
  deps: LikeDeps,
  key: LikeKey | LikeTarget,
  by: PersonId,
  outer?: Tx,
): Promise<boolean> {
  const { db, posts } = deps;
  return inTransaction(db, outer, async (tx) => {
    const known =
      "postId" in key ? await findLikeOf(tx, key, by) : await findLike(tx, key);
    if (!known) return false;
    const post = await posts.find({ id: known.postId }, tx);
    if (known.personId !== by && post?.personId !== by) return false;
    const isConcerning = await concernsSomebodyHere(deps, tx, known, post);
    return retract(deps, tx, known, by, isConcerning);
  });
}

export async function lockTarget(
  db: Db,
  tx: Tx,
  target: LikeTarget,
  personId: PersonId,
): Promise<void> {
  await lockKey(tx, db.dialect, lockOf(target, personId));
}

/** The key of the lock on what a person says about something. */
export function lockOf(
  { postId, commentId }: LikeTarget,
  personId: PersonId,
): string {
  return `like:${postId}:${commentId}:${personId}`;
}

/** @param isConcerning does anybody here have to be notified of it, or another server get it? */
async function store(
  { clock, facts, indexing }: LikeDeps,
  tx: Tx,
  newLike: NewLike,
  isConcerning = true,
): Promise<Like> {
  const likeId = await insertLike(tx, newLike, timestamp(clock.now()));
  if (likeId === undefined) throw new Error("The like cannot be stored");
  const { personId: by } = newLike;
  const fact = { type: "like.created", likeId, by } as const;
  if (isConcerning && (await isLocal(tx, by)))
    await indexing.renewPost(tx, newLike.postId);
  await (isConcerning ? facts.record(tx, fact) : facts.note(tx, fact));
  const stored = await findLike(tx, { id: likeId });
  if (!stored) throw new Error("The new like cannot be read");
  return stored;
}

/**
 * @param isConcerning was anybody here notified of it, or did another server get it from here?
 * @returns false if it was retracted concurrently: a retraction is announced once
 */
async function retract(
  { facts, retractions, indexing }: LikeDeps,
  tx: Tx,
  known: Like,
  by: PersonId,
  isConcerning = true,
): Promise<boolean> {
  if (!(await deleteLike(tx, known.id))) return false;
  if (isConcerning && (await isLocal(tx, known.personId)))
    await indexing.renewPost(tx, known.postId);
  await retractions.record(tx, {
    kind: "Like",
    guid: known.guid,
    personId: known.personId,
    uri: known.uri,
    details: {
      kind: "Like",
      postId: known.postId,
      commentId: known.commentId,
      positive: known.positive,
    },
  });
  const { guid, personId: authorId } = known;
  const fact = { type: "like.retracted", guid, authorId, by } as const;
  await (isConcerning ? facts.record(tx, fact) : facts.note(tx, fact));
  return true;
}
