import { identityColumn } from "../dialect.ts";
import type { Migration } from "../migration.ts";

/** What people plan, who may know of it, and who comes. */
export const calendars: Migration = {
  number: 3,
  name: "calendars",
  statements: (dialect) => [
    `create table calendars (
      id ${identityColumn(dialect)},
      user_id bigint not null references users(id), name text not null,
      is_default boolean not null,
      created_at text not null, updated_at text not null)`,
    `create index calendars_user on calendars(user_id, id)`,
    `create table events (
      id bigint not null primary key, guid text not null unique,
      uid text not null, person_id bigint not null references people(id),
      calendar_id bigint references calendars(id), aspect_id bigint,
      audience text not null, public boolean not null,
      summary text not null, description text not null,
      location text not null, start_at text not null, end_at text,
      until_at text not null, all_day boolean not null,
      time_zone text not null, sequence integer not null,
      created_at text not null, updated_at text not null)`,
    `create index events_start on events(start_at, id)`,
    `create index events_until on events(until_at, start_at)`,
    `create index events_person on events(person_id, start_at, id)`,
    `create unique index events_uid on events(calendar_id, uid) where calendar_id is not null`,
    `create index events_calendar on events(calendar_id, start_at, id) where calendar_id is not null`,
    `create table event_recipients (
      event_id bigint not null references events(id) on delete cascade,
      person_id bigint not null references people(id),
      primary key (event_id, person_id))`,
    `create index event_recipients_person on event_recipients(person_id, event_id)`,
    `create table participations (
      id ${identityColumn(dialect)}, guid text not null unique,
      event_id bigint not null references events(id) on delete cascade,
      person_id bigint not null references people(id),
      status text not null, created_at text not null,
      updated_at text not null, unique (event_id, person_id))`,
    `create index participations_event on participations(event_id, id)`,
    `create index participations_person on participations(person_id, event_id)`,
  ],
};
