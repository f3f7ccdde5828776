import { identityColumn } from "../dialect.ts";
import type { Migration } from "../migration.ts";

/** The idempotency keys of programs and the results, so that a repeated request does nothing. */
export const submissions: Migration = {
  number: 83,
  name: "submissions",
  statements: (dialect) => [
    `create table submissions (
      id ${identityColumn(dialect)},
      user_id bigint not null references users(id),
      key text not null,
      result text,
      created_at text not null,
      unique (user_id, key))`,
    `create index submissions_oldest on submissions(created_at)`,
  ],
};
