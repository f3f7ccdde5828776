import type { Migration } from "../migration.ts";

/** Until when a person is ignored; null for good, as all are until now. */
export const ignoresWithAnEnd: Migration = {
  number: 61,
  name: "ignores-with-an-end",
  statements: () => [`alter table ignores add column ends_at text`],
};
