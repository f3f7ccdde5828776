import type { Migration } from "../migration.ts";

/** Who may quote a post; null for everyone. */
export const quotePolicies: Migration = {
  number: 102,
  name: "quote-policies",
  statements: () => [
    `alter table posts add column quotable_by text`,
    `alter table users add column quotable_by text`,
  ],
};
