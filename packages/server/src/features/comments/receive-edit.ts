import { lockKey } from "../../db/dialect.ts";
import type { EditOutcome, ReceivedEdit } from "../posts/index.ts";
import { findComment, updateCommentText } from "./comment-store.ts";
import type { CreateCommentDeps } from "./create-comment.ts";

/**
 * Applies a remote author's edit of a comment, with its mentions, and has it forwarded; an
 * edit older than the stored version changes nothing.
 */
export async function receiveCommentEdit(
  { db, facts, texts }: CreateCommentDeps,
  edit: ReceivedEdit,
): Promise<EditOutcome> {
  const { by, text, mentioned } = edit;
  const found = texts.read(text);
  return db.transaction(async (tx) => {
    const seen = await findComment(tx, edit);
    if (!seen) return "unknown";
    // Concurrent edits wait for each other: each keeps the text that it replaces.
    await lockKey(tx, db.dialect, `edit:comment:${seen.id}`);
    const comment = await findComment(tx, { id: seen.id });
    if (comment?.personId !== by) return "unknown";
    const { id: commentId, postId } = comment;
    const {
      warning = comment.warning,
      language = comment.language,
      emojis = comment.emojis,
    } = edit;
    const changed = { text, warning, language, emojis };
    if (!(await updateCommentText(tx, commentId, changed, edit)))
      return "older";
    const place = { postId, commentId };
    const before = { text: comment.text, writtenAt: comment.updatedAt };
    if (comment.text !== text) await texts.keepVersion(tx, place, before);
    await texts.replace(tx, place, found, mentioned);
    await facts.record(tx, { type: "comment.changed", commentId, by });
    return "changed";
  });
}
