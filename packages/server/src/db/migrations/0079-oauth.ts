import { identityColumn } from "../dialect.ts";
import type { Migration } from "../migration.ts";

/** Apps, and what they may do for whom. */
export const oauth: Migration = {
  number: 79,
  name: "oauth",
  statements: (dialect) => [
    `create table oauth_apps (
      id ${identityColumn(dialect)},
      client_id text not null unique,
      secret_hash text not null,
      name text not null,
      website text,
      redirect_uris text not null,
      scopes text not null,
      created_at text not null,
      used_at text not null,
      authorized boolean not null default false)`,
    `create index oauth_apps_used on oauth_apps(used_at)`,
    `create table oauth_codes (
      code_hash text primary key,
      app_id bigint not null references oauth_apps(id) on delete cascade,
      user_id bigint not null references users(id),
      redirect_uri text not null,
      scopes text not null,
      challenge text,
      expires_at text not null,
      redeemed_at text)`,
    `create index oauth_codes_of_app on oauth_codes(app_id)`,
    `create index oauth_codes_of_user on oauth_codes(user_id)`,
    `create index oauth_codes_end on oauth_codes(expires_at)`,
    // Without a user it is the app's own.
    `create table oauth_accesses (
      id ${identityColumn(dialect)},
      app_id bigint not null references oauth_apps(id) on delete cascade,
      user_id bigint references users(id),
      token_hash text not null unique,
      scopes text not null,
      code_hash text unique,
      created_at text not null,
      last_used_at text not null)`,
    `create index oauth_accesses_of_user on oauth_accesses(user_id, id)`,
    `create index oauth_accesses_of_app on oauth_accesses(app_id, id)`,
    `create index oauth_accesses_used on oauth_accesses(last_used_at)`,
  ],
};
