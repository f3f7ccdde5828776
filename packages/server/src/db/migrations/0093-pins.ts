import type { Migration } from "../migration.ts";

/** Finds the pinned posts of a person. */
export const pins: Migration = {
  number: 93,
  name: "pins",
  statements: () => [
    `create index posts_pinned on posts(person_id, pinned_at)
      where pinned_at is not null`,
  ],
};
