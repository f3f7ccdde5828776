import type { Migration } from "../migration.ts";

/** What other servers run, and how they want to be signed to. */
export const peers: Migration = {
  number: 14,
  name: "peers",
  statements: () => [
    `create table peers (
      origin text primary key,
      software text,
      learned_at text,
      signature_form text,
      signature_form_at text)`,
  ],
};
