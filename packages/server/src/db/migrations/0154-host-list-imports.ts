import { identityColumn } from "../dialect.ts";
import type { Migration } from "../migration.ts";

/** Lists of decisions about hosts that were imported, and how each is undone. */
export const hostListImports: Migration = {
  number: 154,
  name: "host-list-imports",
  statements: (dialect) => [
    `create table host_list_imports (
      id ${identityColumn(dialect)},
      by_name text not null,
      changes text not null,
      created_at text not null,
      undone_at text)`,
  ],
};
