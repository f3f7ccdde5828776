import type { Reader } from "../../../db/db.ts";
import { isWithin } from "../../page.ts";
import type { Timestamp } from "../../../lib/time/clock.ts";

/** A page that search engines may read. */
export type IndexedPost = {
  readonly guid: string;
  readonly updatedAt: Timestamp;
};

/**
 * Lists the listed public posts of people here who may be found, without reshares, between two
 * keys, newest first. It starts from the people: others write most of what is stored.
 */
export async function listIndexedPosts(
  reader: Reader,
  { after, before, limit }: Record<"after" | "before" | "limit", number>,
): Promise<IndexedPost[]> {
  const rows = await reader
    .selectFrom("people")
    .innerJoin("profiles", "profiles.person_id", "people.id")
    .innerJoin("posts", "posts.person_id", "people.id")
    .select(["posts.guid", "posts.updated_at"])
    .where("people.user_id", "is not", null)
    .where("people.state", "=", "active")
    .where("profiles.searchable", "=", true)
    .where("profiles.indexable", "=", true)
    .where("posts.public", "=", true)
    .where("posts.listed", "=", true)
    .where("posts.root_guid", "is", null)
    .where(isWithin("posts.id", { after, before, offset: 0, limit }))
    .orderBy("posts.id", "desc")
    .limit(limit)
    .execute();
  return rows.map((row) => ({ guid: row.guid, updatedAt: row.updated_at }));
}
