import type { Migration } from "../migration.ts";

/** Lists and counts the people with an account here without reading the others. */
export const peopleHere: Migration = {
  number: 212,
  name: "people-here",
  statements: () => [
    `create index people_here on people(id, user_id, state, created_at)
      where user_id is not null`,
  ],
};
