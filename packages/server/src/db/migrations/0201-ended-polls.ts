import type { Migration } from "../migration.ts";

/** Which polls have ended, and are known to have: their people are notified once. */
export const endedPolls: Migration = {
  number: 201,
  name: "ended-polls",
  statements: () => [
    `alter table polls add column end_noted boolean not null default false`,
    `create index polls_running on polls(ends_at)
      where not end_noted and ends_at is not null`,
  ],
};
