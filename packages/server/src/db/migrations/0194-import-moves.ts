import type { Migration } from "../migration.ts";

/** Imports whose owner asks that the account of the archive moves here. */
export const importMoves: Migration = {
  number: 194,
  name: "import-moves",
  statements: () => [
    `alter table imports add column moves boolean not null default false`,
  ],
};
