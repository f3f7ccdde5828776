import type { Migration } from "../migration.ts";

/** The language in which users write, and those that they read. */
export const readLanguages: Migration = {
  number: 101,
  name: "read-languages",
  statements: () => [
    `alter table users add column post_language text`,
    `alter table users add column read_languages text`,
  ],
};
