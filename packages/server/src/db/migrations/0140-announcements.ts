import { identityColumn } from "../dialect.ts";
import type { Migration } from "../migration.ts";

/** Announcements of admins to everybody on this server, and the users who have put them away. */
export const announcements: Migration = {
  number: 140,
  name: "announcements",
  statements: (dialect) => [
    `create table announcements (
      id ${identityColumn(dialect)},
      text text not null,
      starts_at text,
      ends_at text,
      created_at text not null)`,
    `create table dismissed_announcements (
      id ${identityColumn(dialect)},
      user_id bigint not null references users(id),
      announcement_id bigint not null references announcements(id) on delete cascade,
      created_at text not null,
      unique (user_id, announcement_id))`,
    `create index dismissed_announcements_of
      on dismissed_announcements (announcement_id)`,
  ],
};
