import type { Migration } from "../migration.ts";

/**
 * What ActivityPub says of a text, a picture and an event beside them. Lists are JSON;
 * null, as in all that came before, is none.
 */
export const languagesAndEmojis: Migration = {
  number: 52,
  name: "languages-and-emojis",
  statements: () => [
    `alter table posts add column language text`,
    `alter table posts add column emojis text`,
    `alter table comments add column language text`,
    `alter table comments add column emojis text`,
    `alter table photos add column focus text`,
    `alter table events add column categories text`,
  ],
};
