import type { Db, Tx } from "../../db/db.ts";
import { lockKey } from "../../db/dialect.ts";
import { KithError } from "../../lib/errors.ts";
import { nextEditTime, type EditTime } from "../edit-times.ts";
import { notFoundIfGone } from "../gone-meanwhile.ts";
import { refuseMoved } from "../moved.ts";
import { checkText, type Author } from "../posts/index.ts";
import { keepRefusal } from "../spam-rules/index.ts";
import type { Texts } from "../texts/index.ts";
import {
  findComment,
  updateCommentText,
  type ChangedComment,
  type Comment,
  type CommentKey,
} from "./comment-store.ts";
import { admitComment, type CreateCommentDeps } from "./create-comment.ts";

/** The fields to change; absent ones stay as they are. */
export type EditComment = {
  readonly text?: string | undefined;
  readonly warning?: string | null | undefined;
  readonly language?: string | null | undefined;
};

/**
 * Edits a user's own comment on a post that the user still sees.
 * @throws {KithError} `not_found`, also for another person's comment; `empty_string`,
 *   `bad_request`
 */
export async function editComment(
  deps: CreateCommentDeps,
  author: Author,
  key: CommentKey,
  edit: EditComment,
): Promise<Comment> {
  const { db, clock, facts, posts, texts, indexing } = deps;
  const given =
    edit.text === undefined
      ? undefined
      : checkText(edit.text, "comment").trim();
  const read = given === undefined ? undefined : texts.read(given);
  const writing = db.transaction(async (tx) => {
    await refuseMoved(tx, author.personId);
    const comment = await findCommentToEdit(db, tx, key);
    const { personId: by } = author;
    const post =
      comment?.personId === by
        ? await posts.findVisible({ id: comment.postId }, author, tx)
        : undefined;
    if (!comment || !post) throw new KithError("not_found", "No such comment.");
    // diaspora* has no edits of messages.
    if (post.participants !== null)
      throw new KithError("bad_request", "A message cannot be edited.");
    const {
      text: _,
      warning = comment.warning,
      language = comment.language,
    } = edit;
    const text = given ?? comment.text;
    if (read)
      await deps.newcomers.admitEdit(
        ...([tx, author, read.link, texts.read(comment.text).link] as const),
      );
    if (read && text !== comment.text)
      await admitComment(deps, tx, post, { ...comment, text }, { found: read });
    const changed = { ...comment, text, warning, language };
    if (FIELDS.every((name) => changed[name] === comment[name])) return comment;
    const editedAt = nextEditTime(comment.updatedAt, clock.now());
    await replaceCommentText(texts, tx, comment, changed, { editedAt });
    const { id: commentId, postId } = comment;
    const found = read ?? texts.read(text);
    await texts.replaceOwn(tx, { postId, commentId }, found);
    await indexing.renewPost(tx, postId);
    await facts.record(tx, { type: "comment.changed", commentId, by });
    return getStored(tx, key);
  });
  return keepRefusal(db, notFoundIfGone(writing));
}

const FIELDS = ["text", "warning", "language"] as const;

async function getStored(tx: Tx, key: CommentKey): Promise<Comment> {
  const stored = await findComment(tx, key);
  if (!stored) throw new KithError("not_found", "Deleted meanwhile.");
  return stored;
}

/** Finds a comment to edit. Concurrent edits wait: each keeps the text that it replaces. */
export async function findCommentToEdit(
  { dialect }: Db,
  tx: Tx,
  key: CommentKey,
): Promise<Comment | undefined> {
  const seen = await findComment(tx, key);
  if (!seen) return undefined;
  await lockKey(tx, dialect, `edit:comment:${seen.id}`);
  return findComment(tx, { id: seen.id });
}

/**
 * Stores a new version of a comment, and keeps the previous one.
 * @returns false if the stored version is as new or newer
 */
export async function replaceCommentText(
  texts: Pick<Texts, "keepVersion">,
  tx: Tx,
  { id: commentId, postId, text, warning, updatedAt: writtenAt }: Comment,
  changed: ChangedComment,
  time: EditTime,
): Promise<boolean> {
  if (!(await updateCommentText(tx, commentId, changed, time))) return false;
  const before = { text, warning, photos: [], writtenAt };
  if (changed.text !== text || changed.warning !== warning)
    await texts.keepVersion(tx, { postId, commentId }, before);
  return true;
}
