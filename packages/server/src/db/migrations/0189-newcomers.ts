import { identityColumn } from "../dialect.ts";
import type { Migration } from "../migration.ts";

/** Limits for new accounts: the admins' choice, and what new accounts did in the last day. */
export const newcomers: Migration = {
  number: 189,
  name: "newcomers",
  statements: (dialect) => [
    ...["newcomer_days", "newcomer_posts", "newcomer_follows"].map(
      (column) =>
        `alter table server_profile add column ${column} integer not null default 0`,
    ),
    `alter table server_profile add column newcomer_links boolean not null default ${dialect === "sqlite" ? "1" : "true"}`,
    `create table newcomer_acts (
      id ${identityColumn(dialect)},
      user_id bigint not null references users (id),
      kind text not null,
      at text not null)`,
    `create index newcomer_acts_user on newcomer_acts (user_id, kind, at)`,
    `create index newcomer_acts_at on newcomer_acts (at)`,
  ],
};
