import { identityColumn } from "../dialect.ts";
import type { Migration } from "../migration.ts";

/**
 * Texts that wait for a moderator, because a rule against spam holds them. A post is stored for
 * its author alone, and has its audience here; a comment is stored nowhere else.
 */
export const textsHeld: Migration = {
  number: 207,
  name: "held-texts",
  statements: (dialect) => [
    `create table held_texts (
      id ${identityColumn(dialect)},
      kind text not null,
      guid text not null,
      uri text,
      person_id bigint not null references people (id),
      post_id bigint not null references posts(id) on delete cascade,
      rule text not null,
      audience text,
      comment text,
      created_at text not null)`,
    `create unique index held_texts_guid on held_texts (guid)`,
    `create index held_texts_person on held_texts (person_id, id)`,
    `create index held_texts_post on held_texts (post_id)`,
    `create index held_texts_uri on held_texts (uri) where uri is not null`,
  ],
};
