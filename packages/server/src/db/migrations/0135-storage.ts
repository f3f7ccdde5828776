import type { Migration } from "../migration.ts";

/** Finds what storage rules may remove. */
export const storage: Migration = {
  number: 135,
  name: "storage",
  statements: () => [
    `alter table posts add column stored_at text`,
    // Posts are deleted by their ids, with everything that refers to them.
    `create index hidden_posts_post on hidden_posts(post_id)`,
    `create index reports_target on reports(target_guid)
      where target_guid is not null`,
  ],
};
