import type { Migration } from "../migration.ts";

/** Which activities of others were passed on, as hashes of their ids: each goes out once. */
export const forwarded: Migration = {
  number: 17,
  name: "forwarded",
  statements: () => [
    `create table forwarded_activities (
      digest text primary key,
      forwarded_at text not null)`,
    `create index forwarded_activities_by_time
      on forwarded_activities (forwarded_at)`,
  ],
};
