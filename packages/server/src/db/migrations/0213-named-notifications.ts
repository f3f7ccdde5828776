import type { Migration } from "../migration.ts";

/** A notification of something that is gone keeps its name. */
export const namedNotifications: Migration = {
  number: 213,
  name: "named-notifications",
  statements: () => [`alter table notifications add column thing_name text`],
};
