import type { Migration } from "../migration.ts";

/** Polls whose counts are shown once they have ended. */
export const hiddenTotals: Migration = {
  number: 197,
  name: "hidden-totals",
  statements: () => [
    `alter table polls add column hides_totals boolean
      not null default false`,
  ],
};
