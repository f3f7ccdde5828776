import type { Migration } from "../migration.ts";

/** Which dead jobs may no longer be tried: later ones of their lane have been done. */
export const overtakenJobs: Migration = {
  number: 23,
  name: "overtaken-jobs",
  statements: () => [
    `alter table jobs add column overtaken boolean not null default false`,
  ],
};
