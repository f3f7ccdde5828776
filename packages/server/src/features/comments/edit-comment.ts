import type { Db, Tx } from "../../db/db.ts";
import { lockKey } from "../../db/dialect.ts";
import { KithError } from "../../lib/errors.ts";
import { nextEditTime } from "../edit-times.ts";
import { notFoundIfGone } from "../gone-meanwhile.ts";
import type { CommentId, PhotoId } from "../ids.ts";
import { refuseMoved } from "../moved.ts";
import type { Author, PictureChange, Post } from "../posts/index.ts";
import { keepRefusal } from "../spam-rules/index.ts";
import type { DescribedPhoto, ReadText, Texts } from "../texts/index.ts";
import {
  findComment,
  updateCommentText,
  type ChangedComment,
  type Comment,
  type CommentKey,
} from "./comment-store.ts";
import {
  admitComment,
  checkCommentText,
  type CreateCommentDeps,
} from "./create-comment.ts";

/** The fields to change; absent ones stay as they are. */
export type EditComment = {
  readonly text?: string | undefined;
  readonly warning?: string | null | undefined;
  readonly language?: string | null | undefined;
  /** All its pictures, in order: those left out are deleted. */
  readonly photoIds?: readonly PhotoId[] | undefined;
  /** May a comment with pictures do without a text? */
  readonly isTextOptional?: boolean;
  /** Changes its pictures, in the transaction of the edit. */
  readonly amend?: (tx: Tx, comment: Comment) => Promise<unknown>;
};

/**
 * Edits a user's own comment on a post that the user still sees.
 * @throws {KithError} `not_found`, also for another person's comment or picture;
 *   `empty_string`, `bad_request`
 */
export async function editComment(
  deps: CreateCommentDeps,
  author: Author,
  key: CommentKey,
  edit: EditComment,
): Promise<Comment> {
  const { db, texts } = deps;
  const given =
    edit.text === undefined
      ? undefined
      : checkCommentText(edit.text, "comment", edit.isTextOptional);
  const read = given === undefined ? undefined : texts.read(given);
  const writing = db.transaction(async (tx) => {
    await refuseMoved(tx, author.personId);
    const { comment, post } = await getOwn(deps, tx, author, key);
    refuseMessage(post);
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
    const pictures = await changePictures(deps, tx, { comment, post }, edit);
    if (text === "" && pictures.after.length === 0)
      throw new KithError("empty_string", "The text must not be blank.");
    const isSame = FIELDS.every((name) => changed[name] === comment[name]);
    if (isSame && areAlike(pictures)) return comment;
    await replaceOwn(deps, tx, comment, {
      ...{ changed, pictures, found: read ?? texts.read(text) },
    });
    return getStored(tx, key);
  });
  return keepRefusal(db, notFoundIfGone(writing));
}

const FIELDS = ["text", "warning", "language"] as const;

/** Finds a user's own comment on a post that the user still sees. @throws {KithError} */
async function getOwn(
  { db, posts }: Pick<CreateCommentDeps, "db" | "posts">,
  tx: Tx,
  author: Author,
  key: CommentKey,
): Promise<{ comment: Comment; post: Post }> {
  const comment = await findCommentToEdit(db, tx, key);
  const post =
    comment?.personId === author.personId
      ? await posts.findVisible({ id: comment.postId }, author, tx)
      : undefined;
  if (!comment || !post) throw new KithError("not_found", "No such comment.");
  return { comment, post };
}

/** Not all servers know edits of messages. */
function refuseMessage({ participants }: Post): void {
  if (participants !== null)
    throw new KithError("bad_request", "A message cannot be edited.");
}

async function changePictures(
  { photos }: Pick<CreateCommentDeps, "photos">,
  tx: Tx,
  { comment, post }: { readonly comment: Comment; readonly post: Post },
  { photoIds, amend }: EditComment,
): Promise<CommentPictures> {
  const before = await photos.describe(tx, comment);
  if (!photoIds && !amend) return { before, after: before };
  if (photoIds) await photos.arrange(tx, post, comment, photoIds);
  await amend?.(tx, comment);
  return { before, after: await photos.describe(tx, comment) };
}

async function replaceOwn(
  { clock, facts, indexing, texts }: CreateCommentDeps,
  tx: Tx,
  comment: Comment,
  {
    changed,
    found,
    pictures,
  }: {
    readonly changed: ChangedComment;
    readonly found: ReadText;
    readonly pictures: CommentPictures;
  },
): Promise<void> {
  const { id: commentId, postId, personId: by } = comment;
  const editedAt = nextEditTime(comment.updatedAt, clock.now());
  await updateCommentText(tx, commentId, changed, { editedAt });
  await keepReplacedComment(texts, tx, comment, changed, pictures);
  await texts.replaceOwn(tx, { postId, commentId }, found);
  await indexing.renewPost(tx, postId);
  await facts.record(tx, { type: "comment.changed", commentId, by });
}

/**
 * Changes or deletes a picture of a user's own comment, as an edit of the comment.
 * @throws {KithError} `not_found`, `bad_request` in a conversation, `empty_string` where
 *   nothing would be left
 */
export async function changePictureOfComment(
  deps: CreateCommentDeps,
  tx: Tx,
  author: Author,
  id: CommentId,
  { isDeletion = false, change }: PictureChange,
): Promise<void> {
  const { comment, post } = await getOwn(deps, tx, author, { id });
  if (!isDeletion) refuseMessage(post);
  const before = await deps.photos.describe(tx, comment);
  await change();
  const after = await deps.photos.describe(tx, comment);
  if (comment.text === "" && after.length === 0)
    throw new KithError(
      "empty_string",
      "Nothing would be left: delete the comment instead.",
    );
  await replaceOwn(deps, tx, comment, {
    ...{ changed: comment, pictures: { before, after } },
    found: deps.texts.read(comment.text),
  });
}

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

/** The pictures of a comment before and after an edit. */
type CommentPictures = {
  readonly before: readonly DescribedPhoto[];
  readonly after: readonly DescribedPhoto[];
};

const areAlike = ({ before, after }: CommentPictures): boolean =>
  JSON.stringify(before) === JSON.stringify(after);

/** Keeps the version of a comment that an edit replaced, if readers see a difference. */
export async function keepReplacedComment(
  texts: Pick<Texts, "keepVersion">,
  tx: Tx,
  { id: commentId, postId, text, warning, updatedAt: writtenAt }: Comment,
  changed: ChangedComment,
  pictures: CommentPictures,
): Promise<void> {
  const isSame = changed.text === text && changed.warning === warning;
  if (isSame && areAlike(pictures)) return;
  const before = { text, warning, photos: pictures.before, writtenAt };
  await texts.keepVersion(tx, { postId, commentId }, before);
}
