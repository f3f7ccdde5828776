import { identityColumn } from "../dialect.ts";
import type { Migration } from "../migration.ts";

/** Mail domains, mail addresses (as hashes) and networks that are kept from signing up. */
export const bans: Migration = {
  number: 169,
  name: "bans",
  statements: (dialect) => [
    `create table bans (
      id ${identityColumn(dialect)},
      kind text not null,
      value text not null,
      severity text not null,
      comment text not null,
      created_at text not null,
      expires_at text)`,
    `create unique index bans_value on bans (kind, value)`,
    `create index bans_expires on bans (expires_at)`,
  ],
};
