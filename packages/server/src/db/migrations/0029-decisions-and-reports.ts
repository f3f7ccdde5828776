import { identityColumn } from "../dialect.ts";
import type { Migration } from "../migration.ts";

/** What is decided of one person, and reports that people here make, with what comes of each. */
export const decisionsAndReports: Migration = {
  number: 29,
  name: "decisions-and-reports",
  statements: (dialect) => [
    `create table person_decisions (
      person_id bigint not null primary key references people(id),
      suspended boolean not null, suspension_reason text not null,
      suspended_at text,
      silenced boolean not null, silence_reason text not null,
      silenced_at text)`,
    `alter table reports
      add column reporter_id bigint references people(id)`,
    `alter table reports
      add column target_kind text not null default 'person'`,
    `alter table reports add column target_guid text`,
    `alter table reports add column evidence text`,
    `alter table reports add column category text not null default 'other'`,
    `alter table reports
      add column forwarded boolean not null default false`,
    `alter table reports add column assignee text`,
    `alter table reports add column resolution text`,
    `alter table reports add column resolver text`,
    `alter table reports add column resolved_at text`,
    // The same by the same person is one report as long as nobody has dealt with it.
    `create unique index reports_once
      on reports(reporter_id, target_kind, target_guid)
      where reporter_id is not null and resolved_at is null`,
    `create index reports_open on reports(id) where resolved_at is null`,
    `create index reports_closed on reports(id)
      where resolved_at is not null`,
    `create index reports_reporter on reports(reporter_id, created_at)
      where reporter_id is not null`,
    `create index reports_host on reports(host, created_at)`,
    `create table report_notes (
      id ${identityColumn(dialect)},
      report_id bigint not null references reports(id) on delete cascade,
      author text not null, text text not null, created_at text not null)`,
    `create index report_notes_report on report_notes(report_id, id)`,
  ],
};
