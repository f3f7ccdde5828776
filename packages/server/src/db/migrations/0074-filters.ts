import { identityColumn } from "../dialect.ts";
import type { Migration } from "../migration.ts";

/** Words that users do not want to read. */
export const filters: Migration = {
  number: 74,
  name: "filters",
  statements: (dialect) => [
    `create table filters (
      id ${identityColumn(dialect)},
      user_id bigint not null references users(id),
      title text not null,
      contexts text not null,
      action text not null,
      ends_at text,
      created_at text not null,
      updated_at text not null)`,
    `create index filters_newest on filters(user_id, id)`,
    `create table filter_keywords (
      id ${identityColumn(dialect)},
      filter_id bigint not null references filters(id) on delete cascade,
      keyword text not null,
      whole_word boolean not null,
      unique (filter_id, keyword, whole_word))`,
  ],
};
