import type { Migration } from "../migration.ts";

/** Aspects whose members' posts are left out of the home of their owner: none, as before. */
export const exclusiveAspects: Migration = {
  number: 200,
  name: "exclusive-aspects",
  statements: () => [
    `alter table aspects add column exclusive boolean not null default false`,
    // Few aspects are: each home asks for them.
    `create index aspects_exclusive on aspects(user_id) where exclusive`,
  ],
};
