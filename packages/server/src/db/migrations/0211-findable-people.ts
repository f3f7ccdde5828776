import type { Migration } from "../migration.ts";

/** Lists the people who want to be found without reading the others. */
export const findablePeople: Migration = {
  number: 211,
  name: "findable-people",
  statements: () => [
    `create index profiles_searchable on profiles(person_id) where searchable`,
  ],
};
