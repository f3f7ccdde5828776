import type { Migration } from "../migration.ts";

/** Addresses at which other programs read a calendar; the secret one is derived from the salt. */
export const calendarAddresses: Migration = {
  number: 63,
  name: "calendar-addresses",
  statements: (dialect) => [
    `alter table calendars add column guid text`,
    `alter table calendars add column address_salt text`,
    `alter table calendars add column address_since text`,
    dialect === "sqlite"
      ? `update calendars set guid = lower(hex(randomblob(16)))`
      : `update calendars set guid = replace(gen_random_uuid()::text, '-', '')`,
    `create unique index calendars_guid on calendars(guid)`,
  ],
};
