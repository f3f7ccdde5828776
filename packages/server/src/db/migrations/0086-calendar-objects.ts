import type { Migration } from "../migration.ts";

/** Calendars as other programs change them: objects by name, and the changes since a token. */
export const calendarObjects: Migration = {
  number: 86,
  name: "calendar-objects",
  statements: () => [
    `alter table calendars add column path_name text`,
    `alter table calendars add column changes bigint not null default 0`,
    `alter table calendars add column forgotten_changes bigint not null default 0`,
    `alter table calendars add column properties text`,
    `update calendars set path_name = guid`,
    `create unique index calendars_path on calendars(user_id, path_name)`,
    `create table calendar_objects (
      event_id bigint not null primary key references events(id) on delete cascade,
      calendar_id bigint references calendars(id) on delete cascade,
      name text not null, change bigint not null, ical text)`,
    `create unique index calendar_objects_name on calendar_objects(calendar_id, name)`,
    `create index calendar_objects_change on calendar_objects(calendar_id, change)`,
    `create table removed_objects (
      calendar_id bigint not null references calendars(id) on delete cascade,
      name text not null, change bigint not null, removed_at text not null,
      primary key (calendar_id, name))`,
    `create index removed_objects_change on removed_objects(calendar_id, change)`,
    `create index removed_objects_time on removed_objects(removed_at)`,
    `insert into calendar_objects (event_id, calendar_id, name, change, ical)
      select id, calendar_id, guid || '.ics',
        row_number() over (partition by calendar_id order by id), null
      from events where calendar_id is not null`,
    `update calendars set changes = (select count(*) from calendar_objects
      where calendar_objects.calendar_id = calendars.id)`,
  ],
};
