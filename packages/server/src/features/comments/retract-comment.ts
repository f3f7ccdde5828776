import type { Db, Reader, Tx } from "../../db/db.ts";
import { inTransaction } from "../../db/in-transaction.ts";
import { KithError } from "../../lib/errors.ts";
import type { Facts } from "../facts.ts";
import type { PersonId } from "../ids.ts";
import { isLocal, type Indexing } from "../indexing/index.ts";
import type { Author, PhotoCopies, Posts } from "../posts/index.ts";
import type { Retractions } from "../retractions/index.ts";
import type { SpamRules } from "../spam-rules/index.ts";
import type { Texts } from "../texts/index.ts";
import type { CommentPhotos } from "./comment-photos.ts";
import {
  deleteComment,
  findComment,
  listLikeGuids,
  type Comment,
  type CommentKey,
} from "./comment-store.ts";

export type RetractCommentDeps = {
  readonly db: Db;
  readonly facts: Facts;
  readonly photos: Pick<CommentPhotos, "copy" | "release">;
  readonly posts: Posts;
  readonly retractions: Retractions;
  readonly texts: Texts;
  readonly indexing: Pick<Indexing, "renewPost">;
  readonly spamRules: Pick<SpamRules, "held">;
};

const NO_COPIES: PhotoCopies = new Map();

/**
 * Deletes a comment. Allowed for its author and for the author of the post.
 * @param keepsPhotos lets the pictures of an own comment wait for something else
 * @throws {KithError} `not_found`, also for a comment that is visible but not this user's
 *   to delete
 */
export async function removeComment(
  deps: RetractCommentDeps,
  user: Author,
  guid: string,
  keepsPhotos = false,
): Promise<void> {
  const own = keepsPhotos && (await findComment(deps.db.read, { guid }));
  const copies =
    own && own.personId === user.personId
      ? await deps.photos.copy(own)
      : NO_COPIES;
  await deps.db.transaction(async (tx) => {
    const comment = await findRetractable(deps, tx, { guid }, user.personId);
    if (!comment) throw new KithError("not_found", "No such comment.");
    if (!(await retract(deps, tx, comment, user.personId, copies)))
      throw new KithError("not_found", "Deleted meanwhile.");
  });
}

/** @returns false if there is no such comment, or this person may not retract it */
export async function receiveCommentRetraction(
  deps: RetractCommentDeps,
  key: CommentKey,
  by: PersonId,
  outer?: Tx,
): Promise<boolean> {
  return inTransaction(deps.db, outer, async (tx) => {
    const comment = await findRetractable(deps, tx, key, by);
    if (!comment) return retractHeld(deps, tx, key, by);
    return retract(deps, tx, comment, by);
  });
}

/** One that waits for a moderator does not come any more. */
async function retractHeld(
  { posts, spamRules, retractions }: RetractCommentDeps,
  tx: Tx,
  key: CommentKey,
  by: PersonId,
): Promise<boolean> {
  if ("id" in key) return false;
  const held = await spamRules.held.find(tx, key);
  if (held?.kind !== "comment") return false;
  const post = await posts.find({ id: held.postId }, tx);
  if (held.personId !== by && post?.personId !== by) return false;
  if (!(await spamRules.held.delete(tx, held.id))) return false;
  const { guid, uri, personId, postId } = held;
  await retractions.record(tx, {
    ...{ kind: "Comment", guid, uri, personId },
    details: { kind: "Comment", postId, below: [], mentioned: [] },
  });
  return true;
}

/** Finds a comment that this person may delete, whether or not it still sees the post. */
export async function findRetractable(
  deps: Pick<RetractCommentDeps, "posts">,
  reader: Reader,
  key: CommentKey,
  by: PersonId,
): Promise<Comment | undefined> {
  const comment = await findComment(reader, key);
  return comment && (await mayRetract(deps, reader, comment, by))
    ? comment
    : undefined;
}

/** An author may retract a comment even after the post's author has blocked them. */
async function mayRetract(
  { posts }: Pick<RetractCommentDeps, "posts">,
  reader: Reader,
  comment: Comment,
  by: PersonId,
): Promise<boolean> {
  // Applies even if the author may no longer see the post.
  if (comment.personId === by) return true;
  const post = await posts.find({ id: comment.postId }, reader);
  return post?.personId === by;
}

/** @returns false if it was retracted concurrently: a retraction is announced once */
async function retract(
  { facts, photos, retractions, texts, indexing }: RetractCommentDeps,
  tx: Tx,
  comment: Comment,
  by: PersonId,
  copies: PhotoCopies = NO_COPIES,
): Promise<boolean> {
  const below = await listLikeGuids(tx, comment.id);
  const place = { postId: comment.postId, commentId: comment.id };
  const mentioned = await texts.listEverMentioned(place, tx);
  const answered = await findAnsweredAuthor(tx, comment);
  await photos.release(tx, comment, copies);
  if (!(await deleteComment(tx, comment.id))) return false;
  if (mentioned.length > 0 || (await isLocal(tx, comment.personId)))
    await indexing.renewPost(tx, comment.postId);
  await retractions.record(tx, {
    kind: "Comment",
    guid: comment.guid,
    personId: comment.personId,
    uri: comment.uri,
    details: {
      ...{ kind: "Comment", postId: comment.postId, below },
      mentioned: [...new Set([...mentioned, ...answered])],
    },
  });
  const { guid, personId: authorId } = comment;
  await facts.record(tx, { type: "comment.retracted", guid, authorId, by });
  return true;
}

/** The author of the comment that this one answers, who got it like the people it mentions. */
async function findAnsweredAuthor(
  tx: Tx,
  { parentGuid, personId }: Comment,
): Promise<PersonId[]> {
  if (parentGuid === null) return [];
  const parent = await findComment(tx, { guid: parentGuid });
  return parent && parent.personId !== personId ? [parent.personId] : [];
}
