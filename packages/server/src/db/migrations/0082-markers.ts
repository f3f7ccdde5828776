import { identityColumn } from "../dialect.ts";
import type { Migration } from "../migration.ts";

/** How far users have read their lists. */
export const markers: Migration = {
  number: 82,
  name: "markers",
  statements: (dialect) => [
    `create table markers (
      id ${identityColumn(dialect)},
      user_id bigint not null references users(id),
      list text not null,
      last_read_id bigint not null,
      version bigint not null,
      updated_at text not null,
      unique (user_id, list))`,
  ],
};
