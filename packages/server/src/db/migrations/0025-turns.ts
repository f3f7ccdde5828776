import type { Migration } from "../migration.ts";

/**
 * When a job has its turn among those that are due, so that many deliveries of
 * one post do not keep out a single one of another; and until when a host's queue
 * is held back.
 */
export const turns: Migration = {
  number: 25,
  name: "turns",
  statements: () => [
    `alter table jobs add column turn text not null default ''`,
    `update jobs set turn = run_at`,
    `drop index jobs_due`,
    `create index jobs_due on jobs(state, pool, turn, id)`,
    // Without the state: a lease would change it, and few jobs of a host are not ready.
    `drop index jobs_host`,
    `create index jobs_host on jobs(host) where host is not null`,
    `alter table remote_hosts add column held_until text`,
  ],
};
