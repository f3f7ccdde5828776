import type { Reader, Tx } from "../../db/db.ts";
import { isListed } from "../../db/prepared-query.ts";
import {
  loadJson,
  storeJson,
  type JsonText,
} from "../../db/schema/columns/json-text.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { FilterId, UserId } from "../ids.ts";
import { fetchPage, type Page } from "../page.ts";
import type {
  FilterAction,
  FilterContext,
  FilterKeyword,
} from "../visibility/index.ts";
import type { Filter, FilterChoice } from "./filter.ts";
import { listFilterStatuses } from "./filter-status-store.ts";

/** Inserts a filter without its keywords. */
export async function insertFilter(
  tx: Tx,
  userId: UserId,
  { title, action, contexts, endsAt }: FilterChoice,
  now: Timestamp,
): Promise<FilterId> {
  const { id } = await tx
    .insertInto("filters")
    .values({
      ...{ user_id: userId, title, action, contexts: storeJson(contexts) },
      ...{ ends_at: endsAt, created_at: now, updated_at: now },
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** @returns false if the user has no such filter */
export async function updateFilter(
  tx: Tx,
  userId: UserId,
  id: FilterId,
  { title, action, contexts, endsAt }: FilterChoice,
  now: Timestamp,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("filters")
    .set({
      ...{ title, action, contexts: storeJson(contexts) },
      ...{ ends_at: endsAt, updated_at: now },
    })
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Replaces the keywords of a filter. Those that stay keep their ids, and so do those that are
 * named by theirs.
 */
export async function updateKeywords(
  tx: Tx,
  id: FilterId,
  keywords: FilterChoice["keywords"],
): Promise<void> {
  const old = await tx
    .selectFrom("filter_keywords")
    .selectAll()
    .where("filter_id", "=", id)
    .execute();
  const taken = new Set(old.map(({ keyword }) => keyword));
  const rowOf = (wanted: FilterChoice["keywords"][number]) =>
    old.find(({ keyword }) => keyword === wanted.keyword) ??
    (taken.has(wanted.keyword)
      ? undefined
      : old.find((row) => row.id === wanted.id));
  const kept = new Map(
    keywords.flatMap((it) => {
      const row = rowOf(it);
      return row ? [[row.id, it] as const] : [];
    }),
  );
  const gone = old.filter((row) => !kept.has(row.id)).map((row) => row.id);
  await tx
    .deleteFrom("filter_keywords")
    .where(isListed(tx, "id", JSON.stringify(gone)))
    .execute();
  for (const row of old) {
    const wanted = kept.get(row.id);
    if (!wanted || isSame(row, wanted)) continue;
    await tx
      .updateTable("filter_keywords")
      .set({ keyword: wanted.keyword, whole_word: wanted.wholeWord })
      .where("id", "=", row.id)
      .execute();
  }
  const present = new Set(kept.values());
  const added = keywords.filter((it) => !present.has(it));
  if (added.length === 0) return;
  await tx
    .insertInto("filter_keywords")
    .values(
      added.map(({ keyword, wholeWord }) => ({
        ...{ filter_id: id, keyword, whole_word: wholeWord },
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

const isSame = (
  row: { readonly keyword: string; readonly whole_word: boolean | number },
  { keyword, wholeWord }: FilterKeyword,
): boolean => row.keyword === keyword && Boolean(row.whole_word) === wholeWord;

/** @returns false if the user has no such filter */
export async function deleteFilter(
  tx: Tx,
  userId: UserId,
  id: FilterId,
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("filters")
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** @returns undefined if there is no such filter, null if it lasts for good */
export async function findFilterEnd(
  reader: Reader,
  id: FilterId,
): Promise<Timestamp | null | undefined> {
  const row = await reader
    .selectFrom("filters")
    .select("ends_at")
    .where("id", "=", id)
    .executeTakeFirst();
  return row?.ends_at;
}

/** @returns the user whose filter it was */
export async function deleteEndedFilter(
  tx: Tx,
  id: FilterId,
  now: Timestamp,
): Promise<UserId | undefined> {
  const row = await tx
    .deleteFrom("filters")
    .where("id", "=", id)
    .where("ends_at", "<=", now)
    .returning("user_id")
    .executeTakeFirst();
  return row?.user_id;
}

export async function findFilter(
  reader: Reader,
  userId: UserId,
  id: FilterId,
): Promise<Filter | undefined> {
  const rows = await selectFilters(reader, userId)
    .where("id", "=", id)
    .execute();
  return (await withParts(reader, userId, rows))[0];
}

/** Lists one page of a user's filters, newest first. */
export async function listFilters(
  reader: Reader,
  userId: UserId,
  page: Page,
): Promise<Filter[]> {
  const rows = await fetchPage(
    selectFilters(reader, userId),
    "filters.id",
    page,
  );
  return withParts(reader, userId, rows);
}

const selectFilters = (reader: Reader, userId: UserId) =>
  reader.selectFrom("filters").selectAll().where("user_id", "=", userId);

type Row = {
  id: FilterId;
  title: string;
  action: FilterAction;
  contexts: JsonText<readonly FilterContext[]>;
  ends_at: Timestamp | null;
  created_at: Timestamp;
  updated_at: Timestamp;
};

/** Adds the keywords, and the posts and comments. */
async function withParts(
  reader: Reader,
  userId: UserId,
  filters: readonly Row[],
): Promise<Filter[]> {
  const ids = JSON.stringify(filters.map(({ id }) => id));
  const rows = await reader
    .selectFrom("filter_keywords")
    .selectAll()
    .where(isListed(reader, "filter_id", ids))
    .orderBy("id")
    .execute();
  const byFilter = Map.groupBy(rows, (row) => row.filter_id);
  const statuses =
    filters.length === 0 ? [] : await listFilterStatuses(reader, userId);
  return filters.map((row) => ({
    ...{ id: row.id, title: row.title, action: row.action },
    contexts: loadJson(row.contexts),
    keywords: (byFilter.get(row.id) ?? []).map((it) => ({
      ...{ id: it.id, keyword: it.keyword },
      wholeWord: Boolean(it.whole_word),
    })),
    statuses: statuses.filter(({ filterId }) => filterId === row.id),
    endsAt: row.ends_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }));
}

/** Deletes filters of a user who has left. @returns how many */
export async function deleteSomeFiltersOf(
  tx: Tx,
  userId: UserId,
  limit: number,
): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom("filters")
    .where("id", "in", (eb) =>
      eb
        .selectFrom("filters as own")
        .select("own.id")
        .where("own.user_id", "=", userId)
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
