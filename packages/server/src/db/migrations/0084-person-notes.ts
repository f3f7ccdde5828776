import { identityColumn } from "../dialect.ts";
import type { Migration } from "../migration.ts";

/** Private notes of users about people. */
export const personNotes: Migration = {
  number: 84,
  name: "person-notes",
  statements: (dialect) => [
    `create table person_notes (
      id ${identityColumn(dialect)},
      user_id bigint not null references users(id),
      person_id bigint not null references people(id),
      text text not null,
      created_at text not null,
      updated_at text not null,
      unique (user_id, person_id))`,
    `create index person_notes_person on person_notes(person_id)`,
  ],
};
