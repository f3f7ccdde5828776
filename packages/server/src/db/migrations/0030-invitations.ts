import { identityColumn } from "../dialect.ts";
import type { Migration } from "../migration.ts";

/** Who was invited by whom, and what those who wait for approval wrote of themselves. */
export const invitations: Migration = {
  number: 30,
  name: "invitations",
  statements: (dialect) => [
    `create table invitations (
      id ${identityColumn(dialect)}, code_hash text not null unique,
      by_user_id bigint references users(id), by_name text not null,
      max_uses integer not null, uses integer not null,
      created_at text not null, expires_at text not null, revoked_at text)`,
    `create index invitations_by on invitations(by_user_id, id)
      where by_user_id is not null`,
    `alter table users add column sign_up_reason text`,
    `alter table users
      add column invitation_id bigint references invitations(id)`,
    `create index users_pending on users(id) where state = 'pending'`,
  ],
};
