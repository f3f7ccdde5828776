import type { Reader } from "../../../db/db.ts";
import { isListed, prepareQuery } from "../../../db/prepared-query.ts";
import {
  loadJson,
  type JsonText,
} from "../../../db/schema/columns/json-text.ts";
import type { FilterId, UserId } from "../../ids.ts";
import type { Viewer } from "../viewer.ts";
import type {
  FilterAction,
  FilterContext,
  WordFilter,
} from "./word-filters.ts";

type Row = {
  id: FilterId;
  title: string;
  action: FilterAction;
  contexts: JsonText<readonly FilterContext[]>;
  keyword: string;
  whole_word: boolean | number;
};

const ofUser = prepareQuery<{ userId: UserId }, Row>((reader, value) =>
  reader
    .selectFrom("filters")
    .innerJoin("filter_keywords", "filter_keywords.filter_id", "filters.id")
    .select([
      "filters.id",
      "filters.title",
      "filters.action",
      "filters.contexts",
      "filter_keywords.keyword",
      "filter_keywords.whole_word",
    ])
    .where("filters.user_id", "=", value("userId"))
    .orderBy("filters.id")
    .orderBy("filter_keywords.id")
    .compile(),
);

/** Lists the filters of the viewer that apply in a context. */
export async function listFiltersOf(
  reader: Reader,
  viewer: Viewer,
  context: FilterContext,
): Promise<WordFilter[]> {
  const userId = viewer?.userId ?? null;
  if (userId === null) return [];
  return toFilters(await ofUser(reader, { userId }), context);
}

/** Lists the same of many users, by user; those without a filter have no entry. */
export async function listFiltersOfMany(
  reader: Reader,
  userIds: readonly UserId[],
  context: FilterContext,
): Promise<Map<UserId, WordFilter[]>> {
  const rows = await reader
    .selectFrom("filters")
    .innerJoin("filter_keywords", "filter_keywords.filter_id", "filters.id")
    .select([
      "filters.user_id",
      "filters.id",
      "filters.title",
      "filters.action",
      "filters.contexts",
      "filter_keywords.keyword",
      "filter_keywords.whole_word",
    ])
    .where(isListed(reader, "filters.user_id", JSON.stringify(userIds)))
    .execute();
  const byUser = Map.groupBy(rows, (row) => row.user_id);
  return new Map(
    [...byUser].map(([userId, own]) => [userId, toFilters(own, context)]),
  );
}

function toFilters(all: readonly Row[], context: FilterContext): WordFilter[] {
  const byId = Map.groupBy(all, (row) => row.id);
  return [...byId.values()].flatMap((rows) => {
    const [first] = rows;
    if (!first) return [];
    const { id, title, action } = first;
    const contexts = loadJson(first.contexts);
    if (!contexts.includes(context)) return [];
    const keywords = rows.map((row) => ({
      keyword: row.keyword,
      wholeWord: Boolean(row.whole_word),
    }));
    return [{ id, title, action, contexts, keywords }];
  });
}
