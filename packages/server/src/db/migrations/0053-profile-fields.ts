import type { Migration } from "../migration.ts";

/** What ActivityPub profiles say beside those of diaspora*. Lists are JSON, and null is none. */
export const profileFields: Migration = {
  number: 53,
  name: "profile-fields",
  statements: () => [
    `alter table profiles add column fields text`,
    `alter table profiles add column emojis text`,
    `alter table profiles add column header_url text`,
    `alter table profiles add column locked boolean not null default false`,
    `alter table profiles add column indexable boolean not null default false`,
  ],
};
