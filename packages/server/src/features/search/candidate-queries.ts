import { sql } from "kysely";
import type { Reader } from "../../db/db.ts";
import { dialectOf } from "../../db/prepared-query.ts";
import type { PostId } from "../ids.ts";
import { hasOrder, writeMatch, writeVector } from "./search-condition.ts";
import type { SearchCondition } from "./search-condition.ts";
import type { SearchWindow } from "./search-windows.ts";

type Found = { readonly id: PostId };

/**
 * The posts of a window that meet the condition, of PostgreSQL also those in which the words of
 * a phrase stand apart (see `keepOrdered`). For no response: the viewer may see none of them.
 */
export async function listCandidates(
  reader: Reader,
  condition: SearchCondition,
  { from, to, mark }: SearchWindow,
  order: "newest" | "oldest",
  limit: number,
): Promise<PostId[]> {
  const isNewest = order === "newest";
  const all = [[[mark]], ...condition.all];
  const marked = { ...condition, all };
  const { rows } = await (
    dialectOf(reader) === "sqlite"
      ? isNewest
        ? sql<Found>`select -rowid as id
            ${matches(marked, from, to)} order by rowid limit ${limit}`
        : // Read in the order of the index all the same, and then sorted.
          sql<Found>`select id from (select -rowid as id
            ${matches(marked, from, to)}) as matched order by id limit ${limit}`
      : // The index alone can bound it: in any other plan each row would be read.
        sql<Found>`select id from (
          select post_id as id from post_search
          where words @@ cast(${writeVector(marked, false)} as tsquery)
          offset 0) as matched
          where id >= ${from} and id < ${to}
          order by id ${isNewest ? sql`desc` : sql`asc`} limit ${limit}`
  ).execute(reader);
  return rows.map(({ id }) => id);
}

/** On SQLite the ids lie below zero in the index, so that the newest comes first. */
const matches = (condition: SearchCondition, from: number, to: number) =>
  sql`from post_search where post_search match ${writeMatch(condition)}
    and rowid > ${-to} and rowid <= ${-from}`;

/** Those of the candidates in which the words of phrases follow each other, in their order. */
export async function keepOrdered(
  reader: Reader,
  condition: SearchCondition,
  ids: readonly PostId[],
): Promise<PostId[]> {
  if (dialectOf(reader) === "sqlite" || !hasOrder(condition)) return [...ids];
  const { rows } = await sql<Found>`select post_id as id from post_search
    where post_id = any(array(select jsonb_array_elements_text(
      cast(${JSON.stringify(ids)} as jsonb))::bigint))
      and words @@ cast(${writeVector(condition, true)} as tsquery)`.execute(
    reader,
  );
  const kept = new Set(rows.map(({ id }) => id));
  return ids.filter((id) => kept.has(id));
}
