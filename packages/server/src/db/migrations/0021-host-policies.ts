import type { Migration } from "../migration.ts";

/** What those who run this server have decided of other hosts, and whom there that concerns. */
export const hostPolicies: Migration = {
  number: 21,
  name: "host-policies",
  statements: () => [
    `create table host_policies (
      host text not null primary key,
      blocked boolean not null, silenced boolean not null,
      media_rejected boolean not null, allowed boolean not null,
      reason text not null, created_at text not null, updated_at text not null)`,
    `alter table people add column silenced boolean not null default false`,
    `alter table people
      add column media_rejected boolean not null default false`,
    `create index people_shut_out on people(id) where state = 'shut_out'`,
    `create index people_silenced on people(id) where silenced`,
  ],
};
