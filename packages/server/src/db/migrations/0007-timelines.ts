import type { Migration } from "../migration.ts";

/** What the long lists are read by. */
export const timelines: Migration = {
  number: 7,
  name: "timelines",
  statements: () => [
    // With the authors in it, those whom the reader keeps away are passed over without reading a post.
    `drop index posts_listed`,
    `create index posts_listed on posts(id, person_id, root_person_id)
      where public and listed`,
    `drop index posts_private`,
    `create index posts_limited on posts(person_id, id) where not public`,
    `create index posts_unlisted on posts(person_id, id)
      where public and not listed`,
    `create index posts_reshares on posts(root_guid, id)
      where root_guid is not null`,
    // In the order of the list, and with all that counting needs.
    `create index likes_shareable on likes(shareable_type, shareable_id, id, positive)`,
    `create index notifications_unread on notifications(user_id, id)
      where unread`,
  ],
};
