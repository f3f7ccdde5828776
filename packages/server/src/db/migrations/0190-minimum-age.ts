import type { Migration } from "../migration.ts";

/** The age in years from which people may sign up; 0 for any. */
export const minimumAge: Migration = {
  number: 190,
  name: "minimum age",
  statements: () => [
    `alter table server_profile add column min_age integer not null default 0`,
  ],
};
