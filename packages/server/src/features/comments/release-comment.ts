import type { Tx } from "../../db/db.ts";
import { timestamp } from "../../lib/time/clock.ts";
import type { HeldText } from "../spam-rules/index.ts";
import { hasBlocked } from "../visibility/index.ts";
import { findComment, type Comment } from "./comment-store.ts";
import { storeNewComment, type CreateCommentDeps } from "./create-comment.ts";

/**
 * Stores a comment that has waited, as if it was written now; one from elsewhere keeps the time
 * that its server says. It is delivered, and people are notified.
 * @param isLocal is its author somebody here?
 * @returns undefined if its author may not comment there any more
 */
export async function releaseComment(
  deps: CreateCommentDeps,
  tx: Tx,
  held: HeldText & { readonly kind: "comment" },
  isLocal: boolean,
): Promise<Comment | undefined> {
  const { guid, uri, personId, postId, comment } = held;
  // Its author's server has sent it again, with a text that no rule holds.
  const known = await findComment(tx, { guid });
  if (known) return known;
  const post = await deps.posts.find({ id: postId }, tx);
  if (!post || (await hasBlocked(tx, post.personId, personId)))
    return undefined;
  const author = { personId, userId: null };
  if (isLocal && !(await deps.posts.findVisible({ id: postId }, author, tx)))
    return undefined;
  const now = deps.clock.now();
  const { mentioned, photos, createdAt, updatedAt, ...content } = comment;
  const written = {
    ...{ ...content, guid, uri, personId, postId },
    createdAt: createdAt ?? timestamp(now),
    ...(updatedAt !== null && { updatedAt }),
  };
  const found = deps.texts.read(comment.text);
  const read = { found, mentioned: mentioned ?? undefined, now };
  const stored = await storeNewComment(deps, tx, written, read);
  await deps.photos.receive(tx, stored, photos);
  if (post.participants !== null) await deps.readers.noteMessage(tx, stored);
  return stored;
}
