import { identityColumn } from "../dialect.ts";
import type { Migration } from "../migration.ts";

/** The emojis with which users react to announcements. */
export const announcementReactions: Migration = {
  number: 199,
  name: "announcement-reactions",
  statements: (dialect) => [
    `create table announcement_reactions (
      id ${identityColumn(dialect)},
      announcement_id bigint not null references announcements(id) on delete cascade,
      user_id bigint not null references users(id),
      emoji text not null,
      created_at text not null,
      unique (announcement_id, user_id, emoji))`,
    `create index announcement_reactions_user
      on announcement_reactions (user_id)`,
  ],
};
