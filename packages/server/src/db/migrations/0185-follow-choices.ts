import type { Migration } from "../migration.ts";

/** What users want of a person whom they follow; the choices end with the follow. */
export const followChoices: Migration = {
  number: 185,
  name: "follow-choices",
  statements: () => [
    `alter table contacts add column hides_reshares boolean
      not null default false`,
    `alter table contacts add column notifies boolean not null default false`,
    `alter table contacts add column languages text`,
    // Few want to be notified: each post asks for them.
    `create index contacts_notified on contacts(person_id, user_id)
      where notifies`,
  ],
};
