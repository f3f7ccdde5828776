import type { Migration } from "../migration.ts";

/** The quotes of local posts that their authors revoked, which never become valid again. */
export const revokedQuotes: Migration = {
  number: 115,
  name: "revoked-quotes",
  statements: () => [
    `create table revoked_quotes (
      quoted_post_id bigint not null references posts(id) on delete cascade,
      quoting_uri text not null, revoked_at text not null,
      primary key (quoted_post_id, quoting_uri))`,
  ],
};
