import { isListed } from "../../db/prepared-query.ts";
import type { Reader, Tx } from "../../db/db.ts";
import type { PostId, UserId } from "../ids.ts";

export async function insertMute(
  tx: Tx,
  userId: UserId,
  postId: PostId,
): Promise<void> {
  await tx
    .insertInto("muted_posts")
    .values({ user_id: userId, post_id: postId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function deleteMute(
  tx: Tx,
  userId: UserId,
  postId: PostId,
): Promise<void> {
  await tx
    .deleteFrom("muted_posts")
    .where("user_id", "=", userId)
    .where("post_id", "=", postId)
    .execute();
}

/** Lists those of the posts that the user has muted. */
export async function listMuted(
  reader: Reader,
  userId: UserId,
  postIds: readonly PostId[],
): Promise<PostId[]> {
  if (postIds.length === 0) return [];
  const rows = await reader
    .selectFrom("muted_posts")
    .select("post_id")
    .where("user_id", "=", userId)
    .where(isListed(reader, "muted_posts.post_id", JSON.stringify(postIds)))
    .execute();
  return rows.map((row) => row.post_id);
}

/** @returns how many were deleted */
export async function deleteSomeMutes(
  tx: Tx,
  userId: UserId,
  limit: number,
): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom("muted_posts")
    .where("user_id", "=", userId)
    .where("post_id", "in", (eb) =>
      eb
        .selectFrom("muted_posts as own")
        .select("own.post_id")
        .where("own.user_id", "=", userId)
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
