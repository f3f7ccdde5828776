import type { Migration } from "../migration.ts";

/** What a job waits for that is not here yet, so that it can be woken when it comes. */
export const awaitedThings: Migration = {
  number: 33,
  name: "awaited-things",
  statements: () => [
    `alter table jobs add column awaits text`,
    `create index jobs_awaits on jobs(awaits) where awaits is not null`,
  ],
};
