import type { Tx } from "../../db/db.ts";
import { lockNames } from "../../db/lock-names.ts";
import { receivedTimestamp } from "../../lib/time/clock.ts";
import { KithError } from "../../lib/errors.ts";
import { notFoundIfGone } from "../gone-meanwhile.ts";
import type { CommentId, PhotoId, PostId } from "../ids.ts";
import { refuseMoved } from "../moved.ts";
import type { Author } from "../posts/index.ts";
import type { EarlierText } from "../texts/index.ts";
import { findComment, insertComment } from "./comment-store.ts";
import { checkCommentText, type CreateCommentDeps } from "./create-comment.ts";

/** A comment that its author wrote elsewhere, below a post of its own. */
export type ImportComment = {
  readonly author: Author;
  /** Derived from the comment in its archive, so that it is imported once. */
  readonly guid: string;
  readonly postId: PostId;
  /** The parent comment on the same post. */
  readonly parentGuid: string | null;
  readonly text: string;
  readonly warning: string | null;
  readonly language: string | null;
  /** The author's pending pictures to attach, in this order. */
  readonly photoIds?: readonly PhotoId[];
  /** RFC 3339; never in the future. */
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Its versions before it was edited, oldest first. */
  readonly earlier?: readonly EarlierText[];
};

export type KeepDeps = {
  readonly keepFromHomes: (tx: Tx, id: CommentId) => Promise<void>;
};

/**
 * Stores an old comment on a post of the same author, once. Records no fact: nobody is
 * notified, and no other server gets it.
 * @returns false if it was imported before, even if its author has deleted it since
 * @throws {KithError} `empty_string`, `bad_request`, `not_found` for a post of another person,
 *   or a picture that is not the author's
 */
export async function importComment(
  deps: Omit<CreateCommentDeps, "facts" | "readers"> & KeepDeps,
  { author, earlier = [], photoIds = [], ...comment }: ImportComment,
): Promise<boolean> {
  const text = checkCommentText(
    ...([comment.text, "comment", photoIds.length > 0] as const),
  );
  const found = deps.texts.read(text);
  const writing = deps.db.transaction(async (tx) => {
    await refuseMoved(tx, author.personId);
    await lockNames(tx, deps.db.dialect, [comment.guid]);
    const { guid } = comment;
    if (await findComment(tx, { guid })) return false;
    const { personId } = author;
    const thing = { kind: "Comment", guid, uri: null, personId } as const;
    if (await deps.retractions.isRetracted(tx, thing)) return false;
    const post = await deps.posts.find({ id: comment.postId }, tx);
    if (post?.personId !== author.personId)
      throw new KithError("not_found", "No such post of your own.");
    const now = deps.clock.now();
    const stored = {
      ...{ ...comment, text, personId: author.personId, uri: null },
      createdAt: receivedTimestamp(comment.createdAt, now),
      updatedAt: receivedTimestamp(comment.updatedAt, now),
    };
    await deps.photos.check(tx, post, author.personId, photoIds);
    const { id } = await insertComment(tx, stored, now);
    await deps.photos.attach(tx, { ...stored, id }, photoIds);
    await deps.keepFromHomes(tx, id);
    const place = { postId: post.id, commentId: id };
    await deps.texts.keep(tx, place, found);
    await deps.texts.importVersions(tx, place, earlier, now);
    await deps.indexing.renewPost(tx, post.id);
    return true;
  });
  return notFoundIfGone(writing);
}
