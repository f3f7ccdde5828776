import type { Migration } from "../migration.ts";

/** Pictures of comments: they have the post of their comment, and are as visible as that. */
export const picturesOfComments: Migration = {
  number: 203,
  name: "pictures-of-comments",
  statements: () => [
    `alter table photos add column comment_id bigint
      references comments(id) on delete cascade`,
    `create index photos_comment on photos(comment_id, position)
      where comment_id is not null`,
    // A post with many pictures below it is shown as fast as any. The index of all of them finds
    // those that go with the post.
    `create index photos_of_post on photos(post_id, position)
      where post_id is not null and comment_id is null`,
  ],
};
