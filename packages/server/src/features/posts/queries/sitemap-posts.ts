import type { Reader } from "../../../db/db.ts";
import { isWithin } from "../../page.ts";
import type { Timestamp } from "../../../lib/time/clock.ts";

/** A page that search engines may read. */
export type IndexedPost = {
  readonly guid: string;
  readonly updatedAt: Timestamp;
};

/** Two keys between which posts are looked for. */
type Keys = Record<"after" | "before", number>;

/** Lists those posts between two keys, newest first. */
export async function listIndexedPosts(
  reader: Reader,
  { limit, ...keys }: Keys & { readonly limit: number },
): Promise<IndexedPost[]> {
  const rows = await selectIndexed(reader, keys)
    .orderBy("posts.id", "desc")
    .limit(limit)
    .execute();
  return rows.map((row) => ({ guid: row.guid, updatedAt: row.updated_at }));
}

/** Is there such a post between two keys? Any will do, so that the first found ends the search. */
export async function hasIndexedPost(
  reader: Reader,
  keys: Keys,
): Promise<boolean> {
  const found = await selectIndexed(reader, keys).limit(1).executeTakeFirst();
  return found !== undefined;
}

/**
 * The listed public posts of people here who may be found, without reshares. It starts from the
 * people: others write most of what is stored.
 */
function selectIndexed(reader: Reader, keys: Keys) {
  return reader
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
    .where(isWithin("posts.id", { ...keys, offset: 0, limit: 1 }));
}
