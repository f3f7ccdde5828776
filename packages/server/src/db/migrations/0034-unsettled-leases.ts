import type { Migration } from "../migration.ts";

/** Counts how often a job was leased since it was last settled, so that one that kills its process ends. */
export const unsettledLeases: Migration = {
  number: 34,
  name: "unsettled-leases",
  statements: () => [
    `alter table jobs add column unsettled_leases integer not null default 0`,
  ],
};
