import type { Migration } from "../migration.ts";

/** Where posts were written, by what else they are known, and pictures that other servers send apart from their post. */
export const postContent: Migration = {
  number: 10,
  name: "post-content",
  statements: () => [
    `alter table posts add column location_address text`,
    `alter table posts add column location_lat text`,
    `alter table posts add column location_lng text`,
    `alter table posts add column other_guid text`,
    `create unique index posts_other_guid on posts(other_guid) where other_guid is not null`,
    `alter table photos add column edited_at text`,
    `alter table photos add column awaited_post_guid text`,
    `alter table photos add column limited boolean not null default false`,
    `create index photos_awaiting on photos(awaited_post_guid) where awaited_post_guid is not null`,
  ],
};
