import type { DialectName } from "../db.ts";
import { bytesColumn, identityColumn } from "../dialect.ts";
import type { Migration } from "../migration.ts";

/** A second factor beside the password, and passkeys in place of both. */
export const secondFactors: Migration = {
  number: 31,
  name: "second-factors",
  statements: (dialect: DialectName) => [
    // What a session began with, in words; the older ones do not know.
    `alter table sessions add column device text not null default ''`,
    // Not confirmed yet: it does not count. The last step whose code was accepted
    // is kept, so that no code is accepted twice.
    `create table second_factors (
      user_id bigint not null primary key references users(id),
      secret_sealed text not null, last_step bigint not null,
      confirmed_at text, created_at text not null)`,
    `create table recovery_codes (
      user_id bigint not null references users(id),
      code_hash text not null, primary key (user_id, code_hash))`,
    // Whoever has given the password, and not yet the second factor.
    `create table pending_sign_ins (
      id_hash text not null primary key,
      user_id bigint not null references users(id),
      expires_at text not null)`,
    `create index pending_sign_ins_user on pending_sign_ins(user_id)`,
    `create index pending_sign_ins_expiry on pending_sign_ins(expires_at)`,
    `create table passkeys (
      id ${identityColumn(dialect)},
      user_id bigint not null references users(id),
      credential_id text not null unique,
      public_key ${bytesColumn(dialect)} not null,
      counter bigint not null, transports text not null,
      name text not null, created_at text not null, last_used_at text)`,
    `create index passkeys_user on passkeys(user_id)`,
    // Of somebody who adds a passkey, or of nobody yet: who signs in says it later.
    `create table passkey_challenges (
      challenge_hash text not null primary key,
      user_id bigint references users(id), expires_at text not null)`,
    `create index passkey_challenges_user on passkey_challenges(user_id)`,
    `create index passkey_challenges_expiry on passkey_challenges(expires_at)`,
  ],
};
