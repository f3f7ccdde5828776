import { sql } from "kysely";
import type { Reader } from "../../db/db.ts";
import { isListedText } from "../../db/prepared-query.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { PostId } from "../ids.ts";
import {
  appearsTo,
  isNotSilencedFor,
  POST_AUTHORS,
} from "../visibility/index.ts";

/** More are not looked at, so that a flood of posts costs no more. */
const NEWEST = 5_000;
/** A trend has several people. */
const FEWEST = 2;

/** The newest listed public posts since a time, as nobody in particular finds them in lists. */
const newestPosts = (reader: Reader, since: Timestamp) =>
  reader
    .selectFrom(
      reader
        .selectFrom("posts")
        .select([
          "posts.id",
          "posts.guid",
          "posts.person_id",
          "posts.created_at",
          "posts.nsfw",
        ])
        .where("posts.public", "=", true)
        .where("posts.root_guid", "is", null)
        .where(appearsTo(null))
        .where(isNotSilencedFor(null, POST_AUTHORS))
        .orderBy("posts.id", "desc")
        .limit(NEWEST)
        .as("all_newest"),
    )
    .selectAll()
    .where("created_at", ">", since)
    .where("nsfw", "=", false);

/** A tag that several people use. */
export type TagDay = {
  readonly tag: string;
  /** Such as `2026-01-31`. */
  readonly day: string;
  readonly uses: number;
  readonly people: number;
};

/** Lists the tags that most people use, the most used first. */
export async function listTrendingTags(
  reader: Reader,
  since: Timestamp,
  most: number,
): Promise<string[]> {
  const rows = await reader
    .selectFrom(newestPosts(reader, since).as("newest"))
    .innerJoin("post_tags", "post_tags.post_id", "newest.id")
    .select([
      "post_tags.tag",
      sql<number>`count(distinct newest.person_id)`.as("people"),
      sql<number>`count(*)`.as("uses"),
    ])
    .groupBy("post_tags.tag")
    .having(sql`count(distinct newest.person_id)`, ">=", FEWEST)
    .orderBy("people", "desc")
    .orderBy("uses", "desc")
    .orderBy("post_tags.tag")
    .limit(most)
    .execute();
  return rows.map(({ tag }) => tag);
}

/** How these tags are used on each day. */
export async function listTagDays(
  reader: Reader,
  since: Timestamp,
  tags: readonly string[],
): Promise<TagDay[]> {
  const day = sql<string>`substr(newest.created_at, 1, 10)`;
  const rows = await reader
    .selectFrom(newestPosts(reader, since).as("newest"))
    .innerJoin("post_tags", "post_tags.post_id", "newest.id")
    .select([
      "post_tags.tag",
      day.as("day"),
      sql<number>`count(*)`.as("uses"),
      sql<number>`count(distinct newest.person_id)`.as("people"),
    ])
    .where(isListedText(reader, "post_tags.tag", JSON.stringify(tags)))
    .groupBy(["post_tags.tag", day])
    .execute();
  return rows.map((row) => ({
    ...{ tag: row.tag, day: row.day },
    ...{ uses: Number(row.uses), people: Number(row.people) },
  }));
}

/** Lists the posts that most others like or reshare, the most liked first. */
export async function listTrendingPosts(
  reader: Reader,
  since: Timestamp,
  most: number,
): Promise<PostId[]> {
  const newest = () => newestPosts(reader, since).as("newest");
  const likes = reader
    .selectFrom(newest())
    .innerJoin("likes", "likes.post_id", "newest.id")
    .select(["newest.id", "likes.person_id as by"])
    .where("likes.comment_id", "is", null)
    .where("likes.positive", "=", true)
    .whereRef("likes.person_id", "<>", "newest.person_id");
  const reshares = reader
    .selectFrom(newest())
    .innerJoin("posts", "posts.root_guid", "newest.guid")
    .select(["newest.id", "posts.person_id as by"])
    .whereRef("posts.person_id", "<>", "newest.person_id");
  const rows = await reader
    .selectFrom(likes.union(reshares).as("liked"))
    .select(["liked.id", sql<number>`count(*)`.as("people")])
    .groupBy("liked.id")
    .having(sql`count(*)`, ">=", FEWEST)
    .orderBy("people", "desc")
    .orderBy("liked.id", "desc")
    .limit(most)
    .execute();
  return rows.map(({ id }) => id);
}

/** A page that several people link, with the newest post that does so. */
export type TrendingLink = { readonly url: string; readonly postId: PostId };

/** Lists the pages that most people link, the most linked first. */
export async function listTrendingLinks(
  reader: Reader,
  since: Timestamp,
  most: number,
): Promise<TrendingLink[]> {
  const rows = await reader
    .selectFrom(newestPosts(reader, since).as("newest"))
    .innerJoin("post_links", "post_links.post_id", "newest.id")
    .select([
      "post_links.url",
      (eb) => eb.fn.max<PostId>("newest.id").as("post_id"),
      sql<number>`count(distinct newest.person_id)`.as("people"),
    ])
    .groupBy("post_links.url")
    .having(sql`count(distinct newest.person_id)`, ">=", FEWEST)
    .orderBy("people", "desc")
    .orderBy("post_id", "desc")
    .limit(most)
    .execute();
  return rows.map(({ url, post_id: postId }) => ({ url, postId }));
}
