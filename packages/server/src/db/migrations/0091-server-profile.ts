import type { Migration } from "../migration.ts";

/** The description of the server by its admins: one row, or none. */
export const serverProfile: Migration = {
  number: 91,
  name: "server-profile",
  statements: () => [
    `create table server_profile (
      id integer primary key check (id = 1),
      name text not null,
      description text not null,
      rules text not null,
      registration text,
      updated_at text not null)`,
  ],
};
