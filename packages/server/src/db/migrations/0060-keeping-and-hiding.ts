import type { DialectName } from "../db.ts";
import { identityColumn } from "../dialect.ts";
import type { Migration } from "../migration.ts";

/** What people keep for themselves. */
export const keepingAndHiding: Migration = {
  number: 60,
  name: "keeping-and-hiding",
  statements: (dialect) => bookmarks(dialect),
};

const bookmarks = (dialect: DialectName): string[] => [
  `create table bookmarks (
    id ${identityColumn(dialect)},
    user_id bigint not null references users(id),
    post_id bigint not null references posts(id) on delete cascade,
    created_at text not null,
    unique (user_id, post_id))`,
  `create index bookmarks_newest on bookmarks(user_id, id)`,
  // Deleting a post deletes its bookmarks.
  `create index bookmarks_post on bookmarks(post_id)`,
];
