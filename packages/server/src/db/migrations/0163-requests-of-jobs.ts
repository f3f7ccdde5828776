import type { Migration } from "../migration.ts";

/** The request that enqueued a job, for the lines that the job logs. */
export const requestsOfJobs: Migration = {
  number: 163,
  name: "requests-of-jobs",
  statements: () => ["alter table jobs add column request_id text"],
};
