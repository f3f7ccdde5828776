import { identityColumn } from "../dialect.ts";
import type { Migration } from "../migration.ts";

/** Calendars that others of this server read or write, and what each of them makes of them. */
export const calendarShares: Migration = {
  number: 125,
  name: "calendar-shares",
  statements: (dialect) => [
    `create table calendar_shares (
      id ${identityColumn(dialect)},
      calendar_id bigint not null references calendars(id) on delete cascade,
      person_id bigint references people(id),
      aspect_id bigint references aspects(id) on delete cascade,
      may_write boolean not null,
      created_at text not null,
      unique (calendar_id, person_id), unique (calendar_id, aspect_id))`,
    `create index calendar_shares_person on calendar_shares(person_id, calendar_id)`,
    `create index calendar_shares_aspect on calendar_shares(aspect_id, calendar_id)`,
    `create table calendar_readers (
      calendar_id bigint not null references calendars(id) on delete cascade,
      user_id bigint not null references users(id),
      has_left boolean not null,
      properties text,
      primary key (calendar_id, user_id))`,
    `create index calendar_readers_user on calendar_readers(user_id)`,
    `alter table removed_objects add column is_limited boolean not null default false`,
  ],
};
