import type { Migration } from "../migration.ts";

/**
 * Numbers the leases of a job, so that a run whose lease was taken over settles nothing;
 * notes when a job was given up, so that it does not stay for ever; and finds the dead
 * of a lane without going through those that are marked already.
 */
export const leaseNumbers: Migration = {
  number: 41,
  name: "lease-numbers",
  statements: () => [
    `alter table jobs add column lease_number bigint not null default 0`,
    `alter table jobs add column died_at text`,
    `update jobs set died_at = run_at where state = 'dead'`,
    `create index jobs_dead on jobs(died_at) where died_at is not null`,
    `create index jobs_dead_in_lane on jobs(lane, id)
      where state = 'dead' and not overtaken and lane is not null`,
  ],
};
