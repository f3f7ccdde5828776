import { identityColumn } from "../dialect.ts";
import type { Migration } from "../migration.ts";

const NOW = {
  sqlite: `strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`,
  postgres: `to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
} as const;
const comingOn = (dialect: keyof typeof NOW) =>
  `events.until_at > ${NOW[dialect]}`;

/**
 * When a user is reminded of events: by default, and of one event. Coming events are looked
 * at after the migration; nothing before it is told.
 */
export const reminders: Migration = {
  number: 145,
  name: "reminders",
  statements: (dialect) => [
    `alter table users add column event_reminder integer default 60`,
    `alter table users add column day_reminder integer default 900`,
    `create table event_reminders (
      id ${identityColumn(dialect)},
      user_id bigint not null references users(id),
      event_id bigint not null references events(id) on delete cascade,
      leads text not null,
      created_at text not null,
      unique (user_id, event_id))`,
    `create index event_reminders_of on event_reminders (event_id)`,
    `create table due_reminders (
      event_id bigint not null references events(id) on delete cascade,
      user_id bigint not null references users(id),
      look_at text not null,
      reminded_until text not null,
      primary key (event_id, user_id))`,
    `create index due_reminders_at on due_reminders (look_at)`,
    `create index due_reminders_of on due_reminders (user_id)`,
    `insert into due_reminders (event_id, user_id, look_at, reminded_until)
      select events.id, people.user_id, ${NOW[dialect]}, ${NOW[dialect]}
      from events join people on people.id = events.person_id
      where people.user_id is not null and ${comingOn(dialect)}
      union
      select events.id, people.user_id, ${NOW[dialect]}, ${NOW[dialect]}
      from events join participations on participations.event_id = events.id
        join people on people.id = participations.person_id
      where people.user_id is not null and ${comingOn(dialect)}
        and participations.status <> 'declined'`,
  ],
};
