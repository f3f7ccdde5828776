import type { Migration } from "../migration.ts";

/** Whom a person wants nothing to do with, and what hangs on posts later. */
export const distance: Migration = {
  number: 2,
  name: "distance",
  statements: () => [
    `create table blocks (
      person_id bigint not null references people(id),
      blocked_person_id bigint not null references people(id),
      created_at text not null,
      primary key (person_id, blocked_person_id))`,
    `create index blocks_blocked on blocks(blocked_person_id, person_id)`,
    `create table ignores (
      person_id bigint not null references people(id),
      ignored_person_id bigint not null references people(id),
      created_at text not null,
      primary key (person_id, ignored_person_id))`,
    `alter table posts add column nsfw boolean not null default false`,
    `alter table posts add column event_id bigint`,
    `create index posts_event on posts(event_id) where event_id is not null`,
    `create index notifications_shareable on notifications(shareable_guid)`,
  ],
};
