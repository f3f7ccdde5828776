import type { Migration } from "../migration.ts";

/** What other servers say of the polls and events that posts carry. */
export const carried: Migration = {
  number: 13,
  name: "carried",
  statements: () => [
    `alter table polls add column told_voters bigint`,
    `alter table poll_answers add column told_votes bigint`,
    `alter table events add column status text not null default 'confirmed'`,
    `alter table participations add column uri text`,
    `alter table participations add column reply text`,
    `create index participations_uri on participations(uri) where uri is not null`,
    `create table remote_events (
      event_id bigint not null primary key
        references events(id) on delete cascade,
      answered_by text not null, organizers text not null)`,
  ],
};
