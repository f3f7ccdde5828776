import type { Migration } from "../migration.ts";

/** How sounds and videos are played; they are photos of another media type. */
export const recordings: Migration = {
  number: 97,
  name: "recordings",
  statements: () => [`alter table photos add column playback text`],
};
