import type { Migration } from "../migration.ts";

/** How a server looks, its usual language, and since when its texts hold. */
export const lookOfTheServer: Migration = {
  number: 167,
  name: "look of the server",
  statements: () => [
    ...["language", "accent_light", "accent_dark", "style"].map(
      (column) =>
        `alter table server_profile add column ${column} text not null default ''`,
    ),
    ...["picture_guid", "picture_type"].map(
      (column) =>
        `alter table server_profile add column ${column} text not null default ''`,
    ),
    ...["picture_width", "picture_height"].map(
      (column) =>
        `alter table server_profile add column ${column} integer not null default 0`,
    ),
    ...["description_at", "terms_at", "privacy_at"].map(
      (column) => `alter table server_profile add column ${column} text`,
    ),
    // The texts that are there are not younger than that.
    ...["description", "terms", "privacy"].map(
      (column) =>
        `update server_profile set ${column}_at = updated_at where ${column} <> ''`,
    ),
  ],
};
