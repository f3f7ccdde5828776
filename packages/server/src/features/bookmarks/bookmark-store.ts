import type { Reader, Tx } from "../../db/db.ts";
import { isListed } from "../../db/prepared-query.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import { isPostVisibleTo, type Viewer } from "../visibility/index.ts";
import type { PostId, UserId } from "../ids.ts";
import { fetchPageByTime, type Page } from "../page.ts";

/** Idempotent: bookmarking again does not move the post to the front. */
export async function insertBookmark(
  tx: Tx,
  userId: UserId,
  postId: PostId,
  now: Timestamp,
): Promise<void> {
  await tx
    .insertInto("bookmarks")
    .values({ user_id: userId, post_id: postId, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** @returns false if the user had not bookmarked the post */
export async function deleteBookmark(
  tx: Tx,
  userId: UserId,
  postId: PostId,
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("bookmarks")
    .where("user_id", "=", userId)
    .where("post_id", "=", postId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** The posts among these that the user has bookmarked. */
export async function listBookmarkedAmong(
  reader: Reader,
  userId: UserId,
  ids: readonly PostId[],
): Promise<Set<PostId>> {
  if (ids.length === 0) return new Set();
  const rows = await reader
    .selectFrom("bookmarks")
    .select("post_id")
    .where("user_id", "=", userId)
    .where(isListed(reader, "bookmarks.post_id", JSON.stringify(ids)))
    .execute();
  return new Set(rows.map((row) => row.post_id));
}

/**
 * Lists one page of the bookmarked posts that the user may see, newest bookmark first.
 * Bookmarks of other posts take up no place on a page. Its keys are ids of posts of the
 * list, since readers know no others; the ids of bookmarks order it.
 */
export async function listBookmarkedIds(
  reader: Reader,
  viewer: NonNullable<Viewer> & { readonly userId: UserId },
  page: Page,
): Promise<{ postId: PostId; place: number }[]> {
  const query = reader
    .selectFrom("bookmarks")
    .innerJoin("posts", "posts.id", "bookmarks.post_id")
    .select(["bookmarks.post_id", "bookmarks.id as place"])
    .where("bookmarks.user_id", "=", viewer.userId)
    .where((eb) => isPostVisibleTo(viewer)(eb));
  const rows = await fetchPageByTime(query, page, {
    time: "bookmarks.id",
    id: "posts.id",
    order: "newest first",
    isNumbered: true,
  });
  return rows.map((row) => ({
    postId: row.post_id,
    place: Number(row.place),
  }));
}

/** Deletes bookmarks of a user who has left. @returns how many */
export async function deleteSomeBookmarksOf(
  tx: Tx,
  userId: UserId,
  limit: number,
): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom("bookmarks")
    .where("id", "in", (eb) =>
      eb
        .selectFrom("bookmarks as own")
        .select("own.id")
        .where("own.user_id", "=", userId)
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
