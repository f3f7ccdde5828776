import type { Migration } from "../migration.ts";

/** Leave to quote is found by what may be quoted and by who asked, so that it can be taken back. */
export const quotesGiven: Migration = {
  number: 48,
  name: "quotes-given",
  statements: () => [
    `alter table sent_activities add column quoted_guid text`,
    `alter table sent_activities add column asked_by text`,
    `create index sent_activities_quoted on sent_activities(quoted_guid, asked_by)
      where quoted_guid is not null`,
    `create index sent_activities_asked on sent_activities(person_id, asked_by)
      where asked_by is not null`,
  ],
};
