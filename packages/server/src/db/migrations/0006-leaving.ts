import type { Migration } from "../migration.ts";

/** What a person made and where it stands, to be found when the person leaves or takes it along. */
export const leaving: Migration = {
  number: 6,
  name: "leaving",
  statements: () => [
    `create index comments_person on comments(person_id, id)`,
    `create index likes_person on likes(person_id, id)`,
    `create index notifications_person on notifications(person_id)`,
    `create index post_subscribers_person on post_subscribers(person_id, post_id)`,
    `create index ignores_ignored on ignores(ignored_person_id)`,
    `create index sent_activities_person on sent_activities(person_id)`,
  ],
};
