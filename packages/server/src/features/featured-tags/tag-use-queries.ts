import type { Reader } from "../../db/db.ts";
import { isListedText } from "../../db/prepared-query.ts";
import { timestamp, type Timestamp } from "../../lib/time/clock.ts";
import type { PersonId } from "../ids.ts";
import { appearsTo, type Viewer } from "../visibility/index.ts";

/** How a person uses a tag. */
export type TagUse = {
  readonly tag: string;
  readonly count: number;
  /** The newest post with it. */
  readonly lastAt: Timestamp;
};

/** Of a person; older posts are not counted. */
const NEWEST = 1_000;

/**
 * Counts the posts of a person with each tag that belong in the viewer's lists, among the newest.
 * @param tags all of them if undefined, the most used first
 */
export async function countTagUses(
  reader: Reader,
  personId: PersonId,
  viewer: Viewer,
  tags: readonly string[] | undefined,
  most: number,
): Promise<TagUse[]> {
  const newest = reader
    .selectFrom("posts")
    .select(["posts.id", "posts.created_at"])
    .where("posts.person_id", "=", personId)
    .where(appearsTo(viewer))
    .orderBy("posts.id", "desc")
    .limit(NEWEST)
    .as("newest");
  const rows = await reader
    .selectFrom(newest)
    .innerJoin("post_tags", "post_tags.post_id", "newest.id")
    .select((eb) => [
      "post_tags.tag",
      eb.fn.countAll().as("uses"),
      eb.fn.max("newest.created_at").as("last_at"),
    ])
    .$if(tags !== undefined, (query) =>
      query.where(
        isListedText(reader, "post_tags.tag", JSON.stringify(tags ?? [])),
      ),
    )
    .groupBy("post_tags.tag")
    .orderBy("uses", "desc")
    .orderBy("post_tags.tag")
    .limit(most)
    .execute();
  return rows.map((row) => ({
    tag: row.tag,
    count: Number(row.uses),
    lastAt: timestamp(new Date(row.last_at)),
  }));
}
