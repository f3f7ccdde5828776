import type { Migration } from "../migration.ts";

/** When the followers that an actor elsewhere counts here were last compared with ours. */
export const followersChecks: Migration = {
  number: 47,
  name: "followers-checks",
  statements: () => [
    `create table followers_checks (
      actor_uri text not null primary key, theirs text not null,
      ours text not null, checked_at text not null)`,
    `create index followers_checks_checked on followers_checks(checked_at)`,
  ],
};
