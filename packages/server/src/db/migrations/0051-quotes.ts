import type { Migration } from "../migration.ts";

/** What posts quote, and whether they may. */
export const quotes: Migration = {
  number: 51,
  name: "quotes",
  statements: () => [
    `create table quotes (
      post_id bigint not null primary key references posts(id) on delete cascade,
      quoted_uri text, quoted_guid text, state text not null,
      authorization_uri text, changed_at text not null)`,
    `create index quotes_quoted on quotes(quoted_guid) where quoted_guid is not null`,
    `create index quotes_authorization on quotes(authorization_uri)
      where authorization_uri is not null`,
  ],
};
