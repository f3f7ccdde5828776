import { identityColumn } from "../dialect.ts";
import type { Migration } from "../migration.ts";

/** Who of those who run this server did what. */
export const auditLog: Migration = {
  number: 28,
  name: "audit-log",
  statements: (dialect) => [
    `create table audit_log (
      id ${identityColumn(dialect)}, at text not null,
      by_user_id bigint references users(id), by_name text not null,
      action text not null, target text not null, details text not null)`,
    `create index audit_log_by on audit_log(by_user_id)
      where by_user_id is not null`,
  ],
};
