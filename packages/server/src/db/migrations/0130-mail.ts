import type { Migration } from "../migration.ts";

/** The e-mail addresses of accounts, what is sent there, and resets of passwords. */
export const mail: Migration = {
  number: 130,
  name: "mail",
  statements: () => [
    `create table mail_addresses (
      user_id bigint primary key references users(id) on delete cascade,
      address text,
      address_key text,
      confirmed_at text,
      bounced_at text,
      wanted_address text,
      wanted_hash text unique,
      wanted_until text,
      frequency text not null,
      kinds text not null,
      staff_kinds text not null,
      digest_at text,
      digest_after_id bigint not null,
      updated_at text not null)`,
    `create index mail_addresses_key on mail_addresses(address_key)`,
    `create index mail_addresses_digest on mail_addresses(digest_at)`,
    `create table password_resets (
      token_hash text primary key,
      user_id bigint not null references users(id) on delete cascade,
      address_key text not null,
      expires_at text not null)`,
    `create index password_resets_user on password_resets(user_id)`,
  ],
};
