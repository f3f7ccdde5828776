import { identityColumn } from "../dialect.ts";
import type { Migration } from "../migration.ts";

/** Archives that people uploaded to import them, with what came of it. */
export const imports: Migration = {
  number: 191,
  name: "imports",
  statements: (dialect) => [
    `create table imports (
      id ${identityColumn(dialect)},
      user_id bigint not null references users (id),
      file_key text not null,
      file_name text not null,
      list_kind text,
      bytes bigint not null default 0,
      parts integer not null default 0,
      state text not null,
      done integer not null default 0,
      total integer not null default 0,
      rehearsal text,
      report text,
      failure text,
      created_at text not null,
      changed_at text not null,
      ended_at text)`,
    // An account has one import at a time.
    `create unique index imports_open on imports (user_id) where ended_at is null`,
    `create index imports_user on imports (user_id, id)`,
    `create index imports_changed on imports (changed_at)`,
  ],
};
