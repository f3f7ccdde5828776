import type { Migration } from "../migration.ts";

/** When other servers are told of the next event of a series. */
export const shownOccurrences: Migration = {
  number: 120,
  name: "shown-occurrences",
  statements: () => [
    `alter table events add column shown_until text`,
    `create index events_shown_until on events(shown_until)
      where shown_until is not null`,
  ],
};
