import { identityColumn } from "../dialect.ts";
import type { Migration } from "../migration.ts";

/** The tags that people put on their profiles. */
export const featuredTags: Migration = {
  number: 111,
  name: "featured-tags",
  statements: (dialect) => [
    `create table featured_tags (
      id ${identityColumn(dialect)},
      user_id bigint not null references users(id),
      tag text not null,
      created_at text not null,
      unique (user_id, tag))`,
  ],
};
