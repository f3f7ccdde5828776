import type { EditOutcome, ReceivedEdit } from "../posts/index.ts";
import { updateCommentText } from "./comment-store.ts";
import { admitComment, type CreateCommentDeps } from "./create-comment.ts";
import { findCommentToEdit, keepReplacedComment } from "./edit-comment.ts";

/**
 * Applies a remote author's edit of a comment, with its mentions and pictures, and has it forwarded; an
 * edit older than the stored version changes nothing.
 */
export async function receiveCommentEdit(
  deps: CreateCommentDeps,
  edit: ReceivedEdit,
): Promise<EditOutcome> {
  const { db, facts, texts, indexing, photos, posts } = deps;
  const { by, text, mentioned } = edit;
  const found = texts.read(text);
  return db.transaction(async (tx) => {
    const comment = await findCommentToEdit(db, tx, edit);
    if (comment?.personId !== by) return "unknown";
    const { id: commentId, postId } = comment;
    const {
      warning = comment.warning,
      language = comment.language,
      emojis = comment.emojis,
    } = edit;
    const isSame = text === comment.text;
    const post = isSame ? undefined : await posts.find({ id: postId }, tx);
    const written = { ...comment, text };
    const read = { found, mentioned };
    if (post && !(await admitComment(deps, tx, post, written, read)))
      return "refused";
    const changed = { text, warning, language, emojis };
    if (!(await updateCommentText(tx, commentId, changed, edit)))
      return "older";
    const before = await photos.describe(tx, comment);
    if (edit.photos) await photos.replace(tx, comment, edit.photos);
    const after = edit.photos ? await photos.describe(tx, comment) : before;
    const pictures = { before, after };
    await keepReplacedComment(texts, tx, comment, changed, pictures);
    await texts.replace(tx, { postId, commentId }, found, mentioned);
    await indexing.renewPost(tx, postId);
    await facts.record(tx, { type: "comment.changed", commentId, by });
    return "changed";
  });
}
