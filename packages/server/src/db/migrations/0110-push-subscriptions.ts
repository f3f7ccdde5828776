import { identityColumn } from "../dialect.ts";
import type { Migration } from "../migration.ts";

/** Where browsers and programs receive pushes, each as long as its session or token. */
export const pushSubscriptions: Migration = {
  number: 110,
  name: "push-subscriptions",
  statements: (dialect) => [
    `create table push_subscriptions (
      id ${identityColumn(dialect)},
      user_id bigint not null references users(id),
      session_hash text unique references sessions(id_hash) on delete cascade,
      token_id bigint unique references access_tokens(id) on delete cascade,
      access_id bigint unique references oauth_accesses(id) on delete cascade,
      host text not null,
      endpoint_hash text not null,
      target_sealed text not null,
      encoding text not null,
      alerts text not null,
      policy text not null,
      created_at text not null)`,
    `create index push_subscriptions_user on push_subscriptions(user_id, id)`,
    `create index push_subscriptions_endpoint on push_subscriptions(endpoint_hash)`,
  ],
};
