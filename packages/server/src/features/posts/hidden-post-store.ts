import type { Reader, Tx } from "../../db/db.ts";
import type { PostId, UserId } from "../ids.ts";

/** @returns false if it was hidden before */
export async function insertHidden(
  tx: Tx,
  userId: UserId,
  postId: PostId,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto("hidden_posts")
    .values({ user_id: userId, post_id: postId })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows > 0n;
}

export async function isHidden(
  reader: Reader,
  userId: UserId,
  postId: PostId,
): Promise<boolean> {
  const row = await reader
    .selectFrom("hidden_posts")
    .select("post_id")
    .where("user_id", "=", userId)
    .where("post_id", "=", postId)
    .executeTakeFirst();
  return row !== undefined;
}
