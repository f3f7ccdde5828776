import type { Migration } from "../migration.ts";

/**
 * The people who reshared a post are looked for among those of a home, by the index alone: of
 * ten thousand reshares a home shows a few.
 */
export const resharers: Migration = {
  number: 179,
  name: "resharers",
  statements: () => [
    `drop index post_arrivals_root`,
    `create index post_arrivals_root
      on post_arrivals(root_id, position, author_id)`,
  ],
};
