import type { Migration } from "../migration.ts";

/** People whom users show on their profiles. */
export const featuredPeople: Migration = {
  number: 198,
  name: "featured-people",
  statements: () => [
    `alter table contacts add column featured boolean not null default false`,
    // Few are: everybody may read them on a profile.
    `create index contacts_featured on contacts(user_id, id) where featured`,
  ],
};
