import type { Reader } from "../../db/db.ts";
import type { SignedIn } from "../accounts/index.ts";
import type { PostId } from "../ids.ts";
import { isPostVisibleTo } from "../visibility/index.ts";
import type { Keyed } from "./export-file.ts";
import { pageAfter } from "./page-after.ts";

export async function listExportedHiddenPosts(
  reader: Reader,
  { userId }: SignedIn,
  afterId: number,
  limit: number,
): Promise<Keyed[]> {
  const rows = await reader
    .selectFrom("hidden_posts")
    .select("post_id")
    .where("user_id", "=", userId)
    .$call(pageAfter("post_id", afterId, limit))
    .execute();
  return namePosts(reader, rows);
}

export async function listExportedMutedPosts(
  reader: Reader,
  { userId }: SignedIn,
  afterId: number,
  limit: number,
): Promise<Keyed[]> {
  const rows = await reader
    .selectFrom("muted_posts")
    .select("post_id")
    .where("user_id", "=", userId)
    .$call(pageAfter("post_id", afterId, limit))
    .execute();
  return namePosts(reader, rows);
}

async function namePosts(
  reader: Reader,
  named: readonly { readonly post_id: PostId }[],
): Promise<Keyed[]> {
  if (named.length === 0) return [];
  const rows = await reader
    .selectFrom("posts")
    .innerJoin("people as author", "author.id", "posts.person_id")
    .select(["posts.id", "posts.guid", "author.handle"])
    .where(
      "posts.id",
      "in",
      named.map((row) => row.post_id),
    )
    .orderBy("posts.id")
    .execute();
  return rows.map((row) => ({
    key: row.id,
    record: { postGuid: row.guid, postAuthor: row.handle },
  }));
}

/** Of posts that the user may see: a bookmark does not reveal whether another still exists. */
export async function listExportedBookmarks(
  reader: Reader,
  user: SignedIn,
  afterId: number,
  limit: number,
): Promise<Keyed[]> {
  const rows = await reader
    .selectFrom("bookmarks")
    .innerJoin("posts", "posts.id", "bookmarks.post_id")
    .innerJoin("people as author", "author.id", "posts.person_id")
    .select(["bookmarks.id", "bookmarks.created_at"])
    .select(["posts.guid", "author.handle"])
    .where("bookmarks.user_id", "=", user.userId)
    .where((eb) => isPostVisibleTo(user)(eb))
    .$call(pageAfter("bookmarks.id", afterId, limit))
    .execute();
  return rows.map((row) => ({
    key: row.id,
    record: {
      postGuid: row.guid,
      postAuthor: row.handle,
      createdAt: row.created_at,
    },
  }));
}

export async function listExportedStreams(
  reader: Reader,
  { userId }: SignedIn,
  afterId: number,
  limit: number,
): Promise<Keyed[]> {
  const rows = await reader
    .selectFrom("user_streams")
    .selectAll()
    .where("user_id", "=", userId)
    .$call(pageAfter("id", afterId, limit))
    .execute();
  return rows.map((row) => ({
    key: row.id,
    record: {
      name: row.name,
      tags: row.tags,
      people: row.people,
      expression: row.expression,
      createdAt: row.created_at,
    },
  }));
}

/** @param table with one row for each tag of a user */
const listTagsOf =
  (table: "featured_tags" | "followed_tags") =>
  async (
    reader: Reader,
    { userId }: SignedIn,
    afterId: number,
    limit: number,
  ): Promise<Keyed[]> => {
    const rows = await reader
      .selectFrom(table)
      .select(["id", "tag", "created_at"])
      .where("user_id", "=", userId)
      .$call(pageAfter("id", afterId, limit))
      .execute();
    return rows.map((row) => ({
      key: row.id,
      record: { tag: row.tag, createdAt: row.created_at },
    }));
  };

export const listExportedFeaturedTags = listTagsOf("featured_tags");
export const listExportedFollowedTags = listTagsOf("followed_tags");
