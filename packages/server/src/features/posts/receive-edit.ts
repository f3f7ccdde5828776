import type { Db } from "../../db/db.ts";
import type { Timestamp } from "../../lib/clock.ts";
import type { PersonId } from "../ids.ts";
import { findPost } from "./post-queries.ts";
import { updatePostText } from "./post-store.ts";

/** What an author elsewhere says now. */
export type ReceivedEdit = {
  readonly uri: string;
  readonly by: PersonId;
  readonly text: string;
  readonly editedAt: Timestamp;
};

/**
 * Takes over the new text of a post from elsewhere. Who reads it stays as it was,
 * and what is older than what is here changes nothing.
 * @returns false where there is no such post of this author
 */
export async function receivePostEdit(
  { db }: { readonly db: Db },
  { uri, by, text, editedAt }: ReceivedEdit,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const post = await findPost(tx, { uri });
    if (post?.personId !== by || post.type !== "StatusMessage") return false;
    await updatePostText(tx, post.id, text, editedAt);
    return true;
  });
}
