import type { Reader, Tx } from "../../../db/db.ts";
import type { PostId } from "../../../features/ids.ts";

/** Records which server sent a change below a post that is to be announced. */
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

/** The servers with unannounced changes. */
export async function listNews(
  reader: Reader,
  postId: PostId,
): Promise<string[]> {
  const rows = await reader
    .selectFrom("thread_news")
    .select("origin")
    .where("post_id", "=", postId)
    .execute();
  return rows.map(({ origin }) => origin);
}

/** Deletes announced changes. */
export async function deleteNews(
  tx: Tx,
  postId: PostId,
  origins: readonly string[],
): Promise<void> {
  if (origins.length === 0) return;
  await tx
    .deleteFrom("thread_news")
    .where("post_id", "=", postId)
    .where("origin", "in", [...origins])
    .execute();
}
