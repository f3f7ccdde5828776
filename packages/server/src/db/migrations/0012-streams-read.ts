import type { Migration } from "../migration.ts";

/** When the last posts of somebody elsewhere were asked for, which is done once. */
export const streamsRead: Migration = {
  number: 12,
  name: "streams-read",
  statements: () => [`alter table people add column stream_read_at text`],
};
