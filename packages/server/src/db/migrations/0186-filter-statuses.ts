import { identityColumn } from "../dialect.ts";
import type { Migration } from "../migration.ts";

/** Single posts and comments that a filter of a user matches, whatever they say. */
export const filterStatuses: Migration = {
  number: 186,
  name: "filter-statuses",
  statements: (dialect) => [
    `create table filter_statuses (
      id ${identityColumn(dialect)},
      filter_id bigint not null references filters(id) on delete cascade,
      post_id bigint references posts(id) on delete cascade,
      comment_id bigint references comments(id) on delete cascade,
      unique (filter_id, post_id),
      unique (filter_id, comment_id))`,
    `create index filter_statuses_post on filter_statuses(post_id)`,
    `create index filter_statuses_comment on filter_statuses(comment_id)`,
  ],
};
