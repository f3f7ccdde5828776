import type { Migration } from "../migration.ts";

/** The audience that somebody chose last on each tab of the home, until the session ends. */
export const lastAudiences: Migration = {
  number: 181,
  name: "last audiences",
  statements: () => [`alter table sessions add column last_audiences text`],
};
