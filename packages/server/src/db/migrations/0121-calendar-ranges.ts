import type { Migration } from "../migration.ts";

/** The events of a calendar within a range, in the order in which they are read. */
export const calendarRanges: Migration = {
  number: 121,
  name: "calendar-ranges",
  statements: () => [
    `create index events_calendar_range on events(calendar_id, id, until_at, start_at)
      where calendar_id is not null`,
  ],
};
