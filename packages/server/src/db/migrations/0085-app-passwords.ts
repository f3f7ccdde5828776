import { identityColumn } from "../dialect.ts";
import type { Migration } from "../migration.ts";

/** Passwords of single programs, which open calendars alone. */
export const appPasswords: Migration = {
  number: 85,
  name: "app-passwords",
  statements: (dialect) => [
    `create table app_passwords (
      id ${identityColumn(dialect)},
      user_id bigint not null references users(id),
      name text not null,
      secret_hash text not null unique,
      created_at text not null,
      last_used_at text)`,
    `create index app_passwords_user on app_passwords(user_id, id)`,
  ],
};
