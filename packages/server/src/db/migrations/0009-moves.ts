import type { Migration } from "../migration.ts";

/** Who moved where, what says so, and under which other names people are known. */
export const moves: Migration = {
  number: 9,
  name: "moves",
  statements: () => [
    `alter table people add column moved_to_id bigint references people(id)`,
    `alter table people add column moved_at text`,
    `alter table people add column also_known_as text not null default '[]'`,
    `create index people_moved_to on people(moved_to_id) where moved_to_id is not null`,
    `create table move_documents (
      person_id bigint not null primary key references people(id),
      document text not null, public boolean not null,
      created_at text not null)`,
    `create index posts_root_person on posts(root_person_id) where root_person_id is not null`,
    `create index tombstones_person on tombstones(person_id)`,
  ],
};
