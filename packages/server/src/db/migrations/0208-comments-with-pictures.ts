import type { Migration } from "../migration.ts";

/** Lists the comments of a person that have pictures without reading the others. */
export const commentsWithPictures: Migration = {
  number: 208,
  name: "comments-with-pictures",
  statements: () => [
    `create index photos_person_comment on photos(person_id, comment_id)
      where comment_id is not null`,
  ],
};
