import type { Migration } from "../migration.ts";

/** What the long lists are read by. */
export const timelines: Migration = {
  number: 7,
  name: "timelines",
  statements: () => [
    // With all that the streams ask of a post, so that to pass over one does not read it.
    `drop index posts_listed`,
    `create index posts_listed
      on posts(id, person_id, root_person_id, public, listed)
      where public and listed`,
    `create index posts_unlisted
      on posts(person_id, id, root_person_id, public, listed)
      where public and not listed`,
    `drop index posts_private`,
    `create index posts_private on posts(id, person_id, root_person_id, public)
      where not public`,
    `create index posts_limited on posts(person_id, id, public)
      where not public`,
    `create index posts_reshares on posts(root_guid, id)
      where root_guid is not null`,
    // In the order of the list, and with all that counting needs.
    `create index likes_shareable on likes(shareable_type, shareable_id, id, positive)`,
    `create index notifications_unread on notifications(user_id, id)
      where unread`,
  ],
};
