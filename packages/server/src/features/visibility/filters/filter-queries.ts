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
  /** null for a filter without keywords. */
  keyword: string | null;
  whole_word: boolean | number | null;
};

type StatusRow = { filterId: FilterId; statusId: number };

const ofUser = prepareQuery<{ userId: UserId }, Row>((reader, value) =>
  reader
    .selectFrom("filters")
    .leftJoin("filter_keywords", "filter_keywords.filter_id", "filters.id")
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

/** The posts and comments that the filters of a user name. */
const statusesOfUser = prepareQuery<{ userId: UserId }, StatusRow>(
  (reader, value) =>
    selectStatuses(reader)
      .where("filters.user_id", "=", value("userId"))
      .compile(),
);

const selectStatuses = (reader: Reader) =>
  reader
    .selectFrom("filter_statuses")
    .innerJoin("filters", "filters.id", "filter_statuses.filter_id")
    .select("filters.id as filterId")
    .select((eb) =>
      eb.fn
        .coalesce("filter_statuses.post_id", "filter_statuses.comment_id")
        .$castTo<number>()
        .as("statusId"),
    );

/** Lists the filters of the viewer that apply in a context. */
export async function listFiltersOf(
  reader: Reader,
  viewer: Viewer,
  context: FilterContext,
): Promise<WordFilter[]> {
  const userId = viewer?.userId ?? null;
  if (userId === null) return [];
  const rows = await ofUser(reader, { userId });
  if (rows.length === 0) return [];
  return toFilters(rows, await statusesOfUser(reader, { userId }), context);
}

/** Lists the same of many users, by user; those without a filter have no entry. */
export async function listFiltersOfMany(
  reader: Reader,
  userIds: readonly UserId[],
  context: FilterContext,
): Promise<Map<UserId, WordFilter[]>> {
  const rows = await reader
    .selectFrom("filters")
    .leftJoin("filter_keywords", "filter_keywords.filter_id", "filters.id")
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
  const statuses =
    rows.length === 0
      ? []
      : await selectStatuses(reader)
          .where(isListed(reader, "filters.user_id", JSON.stringify(userIds)))
          .execute();
  const byUser = Map.groupBy(rows, (row) => row.user_id);
  return new Map(
    [...byUser].map(([userId, own]) => [
      userId,
      toFilters(own, statuses, context),
    ]),
  );
}

function toFilters(
  all: readonly Row[],
  named: readonly StatusRow[],
  context: FilterContext,
): WordFilter[] {
  const byId = Map.groupBy(all, (row) => row.id);
  return [...byId.values()].flatMap((rows) => {
    const [first] = rows;
    if (!first) return [];
    const { id, title, action } = first;
    const contexts = loadJson(first.contexts);
    if (!contexts.includes(context)) return [];
    const keywords = rows.flatMap(({ keyword, whole_word: wholeWord }) =>
      keyword === null ? [] : [{ keyword, wholeWord: Boolean(wholeWord) }],
    );
    const statuses = new Set(
      named.filter((it) => it.filterId === id).map((it) => it.statusId),
    );
    if (keywords.length + statuses.size === 0) return [];
    return [{ id, title, action, contexts, keywords, statuses }];
  });
}
