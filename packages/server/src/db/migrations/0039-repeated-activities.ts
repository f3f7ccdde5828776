import type { Migration } from "../migration.ts";

/** How a retry of an activity is told from a new act under an id that was used before. */
export const repeatedActivities: Migration = {
  number: 39,
  name: "repeated-activities",
  statements: () => [
    `alter table inbound_messages add column about text`,
    `alter table inbound_messages add column proof text`,
    `create table creations (
      activity text not null primary key, object text not null,
      created_at text not null)`,
    `create index creations_created on creations(created_at)`,
  ],
};
