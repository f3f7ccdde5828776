import type { Migration } from "../migration.ts";

/** The public posts of this server are found without a look at those of all others. */
export const localPosts: Migration = {
  number: 180,
  name: "local posts",
  statements: () => [
    `alter table posts add column is_local boolean not null default false`,
    `update posts set is_local = true
      where person_id in (select id from people where user_id is not null)`,
    `create index posts_local on posts(id, person_id, root_person_id)
      where is_local and public and listed`,
  ],
};
