import type { Reader } from "../../db/db.ts";
import { isListed } from "../../db/prepared-query.ts";
import { loadJson } from "../../db/schema/columns/json-text.ts";
import type { SignedIn } from "../accounts/index.ts";
import type { Keyed } from "./export-file.ts";
import { pageAfter } from "./page-after.ts";

/** Filters with their keywords, and the Guids of single posts and comments. */
export async function listExportedFilters(
  reader: Reader,
  { userId }: SignedIn,
  afterId: number,
  limit: number,
): Promise<Keyed[]> {
  const rows = await reader
    .selectFrom("filters")
    .selectAll()
    .where("user_id", "=", userId)
    .$call(pageAfter("id", afterId, limit))
    .execute();
  const keywords = await reader
    .selectFrom("filter_keywords")
    .selectAll()
    .where(
      isListed(reader, "filter_id", JSON.stringify(rows.map(({ id }) => id))),
    )
    .orderBy("id")
    .execute();
  const statuses = await reader
    .selectFrom("filter_statuses")
    .leftJoin("posts", "posts.id", "filter_statuses.post_id")
    .leftJoin("comments", "comments.id", "filter_statuses.comment_id")
    .select(["filter_id", "posts.guid as post", "comments.guid as comment"])
    .where(
      isListed(reader, "filter_id", JSON.stringify(rows.map(({ id }) => id))),
    )
    .orderBy("filter_statuses.id")
    .execute();
  const byFilter = Map.groupBy(keywords, (row) => row.filter_id);
  return rows.map((row) => ({
    key: row.id,
    record: {
      title: row.title,
      contexts: loadJson(row.contexts),
      action: row.action,
      endsAt: row.ends_at,
      keywords: (byFilter.get(row.id) ?? []).map((it) => ({
        keyword: it.keyword,
        wholeWord: Boolean(it.whole_word),
      })),
      statuses: statuses.flatMap((it) =>
        it.filter_id === row.id ? (it.post ?? it.comment ?? []) : [],
      ),
      createdAt: row.created_at,
      updatedAt: row.updated_at,
    },
  }));
}
