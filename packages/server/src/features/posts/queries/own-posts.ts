import { sql, type SqlBool } from "kysely";
import type { Reader } from "../../../db/db.ts";
import { isListed } from "../../../db/prepared-query.ts";
import type { Timestamp } from "../../../lib/time/clock.ts";
import type { PersonId } from "../../ids.ts";
import { fetchPage, type Page } from "../../page.ts";
import { isPostVisibleTo, type Viewer } from "../../visibility/index.ts";
import type { Post } from "../post.ts";
import { selectPosts, toPost } from "./post-queries.ts";

/** Which posts of a person are listed. */
export type OwnPosts = {
  /** false leaves out reshares. */
  readonly reshares?: boolean;
  /** Only those with pictures? */
  readonly withPhotos?: boolean;
  /** Only those with this tag, as returned by `foldTag`. */
  readonly tag?: string | undefined;
  /** Only those that their author has pinned? */
  readonly pinned?: boolean;
};

/** Lists one page of a person's posts that the viewer may see, newest first. */
export async function listPostsOf(
  reader: Reader,
  personId: PersonId,
  viewer: Viewer,
  page: Page,
  { reshares = true, withPhotos = false, tag, pinned = false }: OwnPosts = {},
): Promise<Post[]> {
  let visible = selectPosts(reader)
    .where("posts.person_id", "=", personId)
    .where("posts.participants", "is", null)
    .where(isPostVisibleTo(viewer));
  if (!reshares) visible = visible.where("posts.root_guid", "is", null);
  if (pinned) visible = visible.where("posts.pinned_at", "is not", null);
  if (tag !== undefined)
    visible = visible.where((eb) =>
      eb.exists(
        eb
          .selectFrom("post_tags")
          .select("post_tags.post_id")
          .whereRef("post_tags.post_id", "=", "posts.id")
          .where("post_tags.tag", "=", tag),
      ),
    );
  if (!withPhotos)
    return (await fetchPage(visible, "posts.id", page)).map(toPost);
  // From picture to picture: posts without any are not read.
  const pictured = visible
    .innerJoin("photos", "photos.post_id", "posts.id")
    .where("photos.person_id", "=", personId)
    .where("photos.post_id", "is not", null)
    .where("photos.comment_id", "is", null)
    .where(isFirstOfPost);
  return (await fetchPage(pictured, "photos.post_id", page)).map(toPost);
}

/** A condition on `photos`, by which each post is found once. */
export const isFirstOfPost = sql<SqlBool>`photos.id = (
  select min(same.id) from photos as same
  where same.post_id = photos.post_id and same.comment_id is null)`;

/** Counts the public posts of each of these people, with the time of the last one. */
export async function countPublicOfEach(
  reader: Reader,
  personIds: readonly PersonId[],
): Promise<Map<PersonId, { count: number; last: Timestamp }>> {
  if (personIds.length === 0) return new Map();
  const rows = await reader
    .selectFrom("posts")
    .select((eb) => [
      "person_id",
      eb.fn.countAll<number>().as("count"),
      eb.fn.max("created_at").as("last"),
    ])
    .where(isListed(reader, "posts.person_id", JSON.stringify(personIds)))
    .where("public", "=", true)
    .groupBy("person_id")
    .execute();
  return new Map(
    rows.map((row) => [
      row.person_id,
      { count: Number(row.count), last: row.last },
    ]),
  );
}
