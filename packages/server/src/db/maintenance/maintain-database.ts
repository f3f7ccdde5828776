import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import type { Db } from "../db.ts";

/** Pages that SQLite returns to the file system at once: some 4 MiB. */
const PAGES_AT_ONCE = 1000;
/** Free pages that stay: new rows fill them. */
const KEPT_PAGES = 4000;
/** Pages of the index of words that are merged at once. */
const MERGED_AT_ONCE = 64;
const MAX_MERGES = 50;
/** Between two steps, in which others write. */
export const PAUSE_MS = 20;

/** Tables that PostgreSQL plans most queries with, and that the rules shrink. */
const ANALYZED = [
  ...["posts", "comments", "likes", "people", "post_arrivals"],
  ...["post_tags", "text_mentions"],
];

/**
 * Keeps the database small and fast in short steps, between which others write.
 *
 * SQLite: merges the index of words, which keeps the words of deleted posts until then, and
 * returns free pages. It gathers no statistics: queries name their indexes (`byIndex`), so that
 * plans do not change on one server only. The log is checkpointed as it grows (`SqliteLog`).
 * PostgreSQL has its own vacuum; it is told how much has gone.
 */
export async function maintainDatabase(
  db: Db,
  signal?: AbortSignal,
): Promise<void> {
  if (db.dialect === "postgres") {
    for (const table of ANALYZED)
      await db.transaction((tx) =>
        sql`analyze ${sql.table(table)}`.execute(tx),
      );
    return;
  }
  for (let merges = 0; merges < MAX_MERGES; merges++) {
    if (signal?.aborted || (await mergeWords(db)) < 2) break;
    await pause(PAUSE_MS);
  }
  while (!signal?.aborted && (await releasePages(db, KEPT_PAGES)))
    await pause(PAUSE_MS);
}

/** @returns how many rows the merge changed; fewer than two if there was nothing to do */
export async function mergeWords(db: Db): Promise<number> {
  return db.transaction(async (tx) => {
    const count = async () => {
      const { rows } = await sql<{ changes: number }>`
        select total_changes() as changes`.execute(tx);
      return Number(rows[0]?.changes ?? 0);
    };
    const before = await count();
    await sql`insert into post_search (post_search, rank)
      values ('merge', ${MERGED_AT_ONCE})`.execute(tx);
    return (await count()) - before;
  });
}

/**
 * Returns some free pages to the file system.
 * @param kept how many stay for new rows
 * @returns whether more can be returned; false in files that cannot shrink
 */
export async function releasePages(db: Db, kept: number): Promise<boolean> {
  const { free, canShrink } = await readPages(db);
  if (!canShrink || free <= kept) return false;
  await db.transaction((tx) =>
    sql`pragma incremental_vacuum(${sql.lit(Math.min(PAGES_AT_ONCE, free - kept))})`.execute(
      tx,
    ),
  );
  const { free: left } = await readPages(db);
  return left < free;
}

const INCREMENTAL = 2;

/** The pages of an SQLite file, and whether it was made to shrink in steps. */
export async function readPages({ read }: Db) {
  const { rows } = await sql<{
    free: number;
    total: number;
    size: number;
    mode: number;
  }>`select freelist_count as free, page_count as total, page_size as size,
      auto_vacuum as mode
    from pragma_freelist_count, pragma_page_count, pragma_page_size,
      pragma_auto_vacuum`.execute(read);
  const [row] = rows;
  return {
    free: Number(row?.free ?? 0),
    total: Number(row?.total ?? 0),
    pageBytes: Number(row?.size ?? 0),
    canShrink: Number(row?.mode) === INCREMENTAL,
  };
}

/** The size of the database, in bytes, and the part of it that new rows can fill. */
export async function measureSize(
  db: Db,
): Promise<{ readonly bytes: number; readonly freeBytes: number }> {
  if (db.dialect === "sqlite") {
    const { free, total, pageBytes } = await readPages(db);
    return { bytes: total * pageBytes, freeBytes: free * pageBytes };
  }
  const { rows } = await sql<{ bytes: number }>`
    select pg_database_size(current_database()) as bytes`.execute(db.read);
  // PostgreSQL does not say cheaply how much of its files is free.
  return { bytes: Number(rows[0]?.bytes ?? 0), freeBytes: 0 };
}
