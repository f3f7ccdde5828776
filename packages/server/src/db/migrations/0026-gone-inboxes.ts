import type { Migration } from "../migration.ts";

/** Inboxes that answered that they are gone: nothing is sent there until their host gives a sign of life. */
export const goneInboxes: Migration = {
  number: 26,
  name: "gone-inboxes",
  statements: () => [
    `create table gone_inboxes (
      url text not null primary key,
      host text not null,
      since text not null)`,
    `create index gone_inboxes_host on gone_inboxes (host)`,
  ],
};
