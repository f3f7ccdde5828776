import type { Migration } from "../migration.ts";

/**
 * PostgreSQL adds the words of many posts to the index at once, in the order of the index: one by one
 * they cost four times as much. Until then each search reads them, so they are few, 64 kB.
 */
export const pendingSearchWords: Migration = {
  number: 209,
  name: "pending-search-words",
  statements: (dialect) =>
    dialect === "sqlite"
      ? []
      : [
          `alter index post_search_words
            set (fastupdate = on, gin_pending_list_limit = 64)`,
        ],
};
