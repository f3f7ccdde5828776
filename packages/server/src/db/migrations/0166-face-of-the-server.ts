import type { Migration } from "../migration.ts";

/** More that a server says about itself; empty texts say nothing. */
export const faceOfTheServer: Migration = {
  number: 166,
  name: "face of the server",
  statements: () =>
    ["joining", "terms", "privacy", "contact", "contact_mail"].map(
      (column) =>
        `alter table server_profile add column ${column} text not null default ''`,
    ),
};
