import type { Migration } from "../migration.ts";

/** Private conversations of diaspora*, kept as limited posts: who takes part. */
export const conversations: Migration = {
  number: 16,
  name: "conversations",
  statements: () => [`alter table posts add column participants text`],
};
