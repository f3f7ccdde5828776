import type { Migration } from "../migration.ts";

/**
 * What is taken back before it comes is counted by the server that says so, and has an
 * age. What an older Kith has kept of it may be anybody's word.
 */
export const earlyRetractions: Migration = {
  number: 38,
  name: "early-retractions",
  statements: () => [
    `delete from tombstones where kind = 'Unknown'`,
    `alter table tombstones add column origin text`,
    `create index tombstones_early on tombstones(origin, created_at)
      where origin is not null`,
  ],
};
