import type { Db } from "../../db/db.ts";
import type { ReceivedEdit } from "../posts/index.ts";
import { findComment, updateCommentText } from "./comment-store.ts";

/**
 * Takes over the new text of a comment from elsewhere; what is older than what is
 * here changes nothing.
 * @returns false where there is no such comment of this author
 */
export async function receiveCommentEdit(
  { db }: { readonly db: Db },
  { uri, by, text, editedAt }: ReceivedEdit,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const comment = await findComment(tx, { uri });
    if (comment?.personId !== by) return false;
    await updateCommentText(tx, comment.id, text, editedAt);
    return true;
  });
}
