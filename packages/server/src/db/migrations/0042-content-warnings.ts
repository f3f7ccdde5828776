import type { Migration } from "../migration.ts";

/** What a post or comment warns of before it is read. */
export const contentWarnings: Migration = {
  number: 42,
  name: "content-warnings",
  statements: () => [
    `alter table posts add column warning text`,
    `alter table comments add column warning text`,
  ],
};
