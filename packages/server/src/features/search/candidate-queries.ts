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
  const direction = order === "newest" ? sql`desc` : sql`asc`;
  const isSqlite = dialectOf(reader) === "sqlite";
  const vector = `'${mark}' & ${writeVector(condition, false)}`;
  const { rows } = await (
    isSqlite
      ? sql<Found>`select rowid as id from post_search
          where post_search match ${writeMatch(condition)}
            and rowid >= ${from} and rowid < ${to}
          order by rowid ${direction} limit ${limit}`
      : // The index alone can bound it: in any other plan each row would be read.
        sql<Found>`select id from (
          select post_id as id from post_search
          where words @@ cast(${vector} as tsquery) offset 0) as matched
          where id >= ${from} and id < ${to}
          order by id ${direction} limit ${limit}`
  ).execute(reader);
  return rows.map(({ id }) => id);
}

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
