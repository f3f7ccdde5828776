import type { Migration } from "../migration.ts";

/** Lists the posts of a person that have pictures without reading the others. */
export const postsWithPictures: Migration = {
  number: 210,
  name: "posts-with-pictures",
  statements: () => [
    `create index photos_person_post on photos(person_id, post_id)
      where post_id is not null and comment_id is null`,
  ],
};
