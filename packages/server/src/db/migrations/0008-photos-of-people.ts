import type { Migration } from "../migration.ts";

/** All pictures of a person, to be found when the person leaves or takes them along. */
export const photosOfPeople: Migration = {
  number: 8,
  name: "photos-of-people",
  statements: () => [`create index photos_person on photos(person_id, id)`],
};
