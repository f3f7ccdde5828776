import type { Tx } from "../../db/db.ts";
import type { PostId } from "../../features/ids.ts";

/** Notes from which server something came that is to be told below a post. */
export async function noteNews(
  tx: Tx,
  postId: PostId,
  origin: string,
): Promise<void> {
  await tx
    .insertInto("thread_news")
    .values({ post_id: postId, origin })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The servers from which there was something since the last time. */
export async function takeNews(tx: Tx, postId: PostId): Promise<string[]> {
  const rows = await tx
    .deleteFrom("thread_news")
    .where("post_id", "=", postId)
    .returning("origin")
    .execute();
  return rows.map(({ origin }) => origin);
}
