import { sql } from "kysely";
import type { Db } from "../../db/db.ts";
import { parseTag } from "../../lib/markdown/tags.ts";
import type { Page } from "../page.ts";
import type { Author, Posts } from "../posts/index.ts";

/** So many tags with one beginning are looked at. */
const MAX_TAGS = 200;
const AT_ONCE = 20;

export type SearchTagsDeps = {
  readonly db: Db;
  readonly posts: Pick<Posts, "hasTagged">;
};

/**
 * Finds tags by their beginning, in alphabetical order: those that a post has which the viewer
 * finds in the list of the tag, so that no tag tells of a post it may not see.
 */
export async function searchTags(
  { db, posts }: SearchTagsDeps,
  viewer: Author,
  text: string,
  { offset, limit }: Page,
): Promise<string[]> {
  const beginning = parseTag(text.trim());
  if (beginning === undefined) return [];
  const found: string[] = [];
  let after = beginning;
  let isFirst = true;
  for (let seen = 0; seen < MAX_TAGS; seen += AT_ONCE) {
    const tags = await listTagsFrom(db, beginning, after, isFirst);
    for (const tag of tags) {
      if (found.length >= offset + limit) break;
      if (await posts.hasTagged(tag, viewer)) found.push(tag);
    }
    const last = tags.at(-1);
    if (last === undefined || found.length >= offset + limit) break;
    [after, isFirst] = [last, false];
  }
  return found.slice(offset, offset + limit);
}

/** The next tags with this beginning, each found by one look into the index. */
async function listTagsFrom(
  { read, dialect }: Db,
  beginning: string,
  after: string,
  isFirst: boolean,
): Promise<string[]> {
  const tag =
    dialect === "sqlite" ? sql`post_tags.tag` : sql`post_tags.tag collate "C"`;
  const end = `${beginning}\u{10ffff}`;
  const least = (bound: typeof tag) => sql`(select min(${tag}) from post_tags
    where ${tag} ${bound} and ${tag} < ${end})`;
  const start = isFirst ? sql`>= ${after}` : sql`> ${after}`;
  const { rows } = await sql<{ tag: string }>`with recursive each(tag, n) as (
      select ${least(start)}, 1
      union all
      select ${least(sql`> each.tag`)}, n + 1 from each
      where each.tag is not null and n < ${AT_ONCE})
    select tag from each where tag is not null`.execute(read);
  return rows.map((row) => row.tag);
}
