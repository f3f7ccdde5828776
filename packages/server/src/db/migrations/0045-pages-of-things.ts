import type { Migration } from "../migration.ts";

/** People and posts from elsewhere are found by the addresses of their pages. */
export const pagesOfThings: Migration = {
  number: 45,
  name: "pages-of-things",
  statements: () => [
    "create index people_profile_url on people (profile_url)",
    "create index posts_url on posts (url)",
  ],
};
