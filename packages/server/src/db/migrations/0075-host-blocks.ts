import type { DialectName } from "../db.ts";
import { identityColumn } from "../dialect.ts";
import type { Migration } from "../migration.ts";

/** Servers that people have blocked for themselves. */
export const hostBlocks: Migration = {
  number: 75,
  name: "host-blocks",
  statements: (dialect) => [
    `alter table people add column host text
      generated always as ${HOST_OF_HANDLE[dialect]}`,
    `create index people_host on people(host, id)`,
    `create table host_blocks (
      id ${identityColumn(dialect)},
      person_id bigint not null references people(id),
      host text not null,
      created_at text not null,
      unique (person_id, host))`,
    `create index host_blocks_host on host_blocks(host, person_id)`,
    // Blocks of contacts that follow from the block of their server, and end with it.
    `alter table blocks add column by_host boolean not null default false`,
  ],
};

/** SQLite adds only virtual columns to a table; PostgreSQL before 18 knows only stored ones. */
const HOST_OF_HANDLE: Readonly<Record<DialectName, string>> = {
  sqlite: `(substr(handle, instr(handle, '@') + 1)) virtual`,
  postgres: `(split_part(handle, '@', 2)) stored`,
};
