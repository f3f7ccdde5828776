import type { Migration } from "../migration.ts";

/** Counters by hour, day and month, for the plots of the administration. */
export const statistics: Migration = {
  number: 164,
  name: "statistics",
  statements: () => [
    `create table statistics (
      name text not null,
      span text not null,
      at text not null,
      value bigint not null,
      primary key (name, span, at))`,
    `create table host_deliveries (
      host text not null,
      day text not null,
      delivered bigint not null,
      failed bigint not null,
      primary key (host, day))`,
    `create index host_deliveries_day on host_deliveries (day)`,
    `create index audit_log_at on audit_log (at)`,
    `create index reports_created on reports (created_at)`,
  ],
};
