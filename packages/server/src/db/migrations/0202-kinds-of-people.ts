import type { Migration } from "../migration.ts";

/** Header pictures of people here, and what somebody is: a person, a program or a group. */
export const kindsOfPeople: Migration = {
  number: 202,
  name: "kinds-of-people",
  statements: () => [
    `alter table photos add column is_header boolean not null default false`,
    `alter table profiles add column kind text not null default 'person'`,
  ],
};
