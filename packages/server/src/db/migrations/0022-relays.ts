import { identityColumn } from "../dialect.ts";
import type { Migration } from "../migration.ts";

/** Servers that pass on what is public between those who asked them to. */
export const relays: Migration = {
  number: 22,
  name: "relays",
  statements: (dialect) => [
    `create table relays (
      id ${identityColumn(dialect)}, url text not null unique,
      kind text not null, state text not null,
      actor_uri text, inbox_uri text, follow_guid text not null unique,
      created_at text not null, updated_at text not null)`,
  ],
};
