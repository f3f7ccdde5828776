import type { Migration } from "../migration.ts";

/** How an event repeats. */
export const recurrences: Migration = {
  number: 87,
  name: "recurrences",
  statements: () => [`alter table events add column recurrence text`],
};
