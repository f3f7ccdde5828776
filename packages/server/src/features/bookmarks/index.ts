import type { Db } from "../../db/db.ts";
import { KithError } from "../../lib/errors.ts";
import { timestamp, type Clock } from "../../lib/time/clock.ts";
import { notFoundIfGone } from "../gone-meanwhile.ts";
import type { PostId, UserId } from "../ids.ts";
import type { Page } from "../page.ts";
import type { Author, Post, Posts } from "../posts/index.ts";
import {
  deleteBookmark,
  deleteSomeBookmarksOf,
  insertBookmark,
  listBookmarkedAmong,
  listBookmarkedIds,
} from "./bookmark-store.ts";

export type BookmarksDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly posts: Posts;
};

/** A bookmarked post, and its place in the list. */
export type BookmarkedPost = { readonly post: Post; readonly place: number };

/** Posts that users keep for later. Nobody else learns of it, here or on other servers. */
export type Bookmarks = ReturnType<typeof createBookmarks>;

export function createBookmarks({ db, clock, posts }: BookmarksDeps) {
  return {
    /**
     * Bookmarks a post. Doing so again changes nothing.
     * @throws {KithError} `not_found` if the user may not see it
     */
    add: (user: Author, id: PostId): Promise<Post> => {
      const writing = db.transaction(async (tx) => {
        const post = await posts.findVisible({ id }, user, tx);
        if (!post) throw new KithError("not_found", "No such post.");
        await insertBookmark(tx, user.userId, id, timestamp(clock.now()));
        return post;
      });
      return notFoundIfGone(writing);
    },
    /** @throws {KithError} `not_found` if the user had not bookmarked it */
    remove: ({ userId }: Author, id: PostId): Promise<void> =>
      db.transaction(async (tx) => {
        if (!(await deleteBookmark(tx, userId, id)))
          throw new KithError("not_found", "Not bookmarked.");
      }),
    /** Lists the bookmarked posts that the user may see, newest bookmark first. */
    list: async (user: Author, page: Page): Promise<BookmarkedPost[]> => {
      const rows = await listBookmarkedIds(db.read, user, page);
      const ids = rows.map(({ postId }) => postId);
      const found = await posts.listById(ids, user);
      const byId = new Map(found.map((post) => [post.id, post]));
      return rows.flatMap(({ postId, place }) => {
        const post = byId.get(postId);
        return post ? [{ post, place }] : [];
      });
    },
    /** The posts among these that the user has bookmarked. */
    listAmong: (userId: UserId, ids: readonly PostId[]) =>
      listBookmarkedAmong(db.read, userId, ids),
    /** Deletes some bookmarks of a user who has left. @returns true if more may remain */
    removeSomeOf: (userId: UserId, limit: number) =>
      db.transaction(
        async (tx) => (await deleteSomeBookmarksOf(tx, userId, limit)) > 0,
      ),
  };
}
