import type { Migration } from "../migration.ts";

const DETAILS = ["bio", "birthday", "gender", "location"];

/**
 * Who sees each detail of a profile. What was for everyone, or for contacts, stays
 * so; where there is no bio yet, one that is written later is for everyone.
 */
export const whoSeesDetails: Migration = {
  number: 43,
  name: "who-sees-details",
  statements: () => [
    ...DETAILS.map(
      (name) =>
        `alter table profiles add column ${name}_for text not null default 'contacts'`,
    ),
    `update profiles set ${DETAILS.map((name) => `${name}_for = 'everyone'`).join(", ")} where public`,
    // Whoever lives elsewhere has it from there; a person who has left has none.
    `update profiles set bio_for = 'everyone' where bio = '' and person_id in
      (select id from people where user_id is not null and state <> 'closed')`,
    // It is what these say together now.
    `alter table profiles drop column public`,
  ],
};
