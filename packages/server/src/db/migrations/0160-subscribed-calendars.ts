import { identityColumn } from "../dialect.ts";
import type { Migration } from "../migration.ts";

/** Calendars elsewhere that a user reads here, and what was read of them last. */
export const subscribedCalendars: Migration = {
  number: 160,
  name: "subscribed-calendars",
  statements: (dialect) => [
    `create table subscribed_calendars (
      id ${identityColumn(dialect)},
      guid text not null unique,
      user_id bigint not null references users(id),
      url text not null,
      name text,
      given_name text not null,
      properties text,
      changes bigint not null default 0,
      forgotten_changes bigint not null default 0,
      etag text,
      last_modified text,
      digest text,
      understanding text not null,
      read_at text,
      tried_at text not null,
      due_at text not null,
      failures integer not null default 0,
      fault text,
      refresh_ms bigint,
      created_at text not null,
      updated_at text not null,
      unique (user_id, url))`,
    `create index subscribed_calendars_due on subscribed_calendars (due_at)`,
    `create table subscribed_objects (
      subscription_id bigint not null
        references subscribed_calendars(id) on delete cascade,
      name text not null,
      uid text not null,
      change bigint not null,
      digest text not null,
      ical text not null,
      details text not null,
      start_at text not null,
      until_at text not null,
      primary key (subscription_id, name))`,
    `create index subscribed_objects_changes
      on subscribed_objects (subscription_id, change)`,
    `create index subscribed_objects_times
      on subscribed_objects (subscription_id, until_at, start_at)`,
  ],
};
