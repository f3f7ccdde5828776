import type { Migration } from "../migration.ts";

/** The order that a user gives the own aspects. Those in no order yet stay the oldest first. */
export const orderOfAspects: Migration = {
  number: 165,
  name: "order of aspects",
  statements: () => [
    `alter table aspects add column position integer not null default 0`,
  ],
};
