import { identityColumn } from "../dialect.ts";
import type { Migration } from "../migration.ts";

/** Rules against known patterns of spam, and the log of what they hit. */
export const spamRules: Migration = {
  number: 193,
  name: "spam-rules",
  statements: (dialect) => [
    `create table spam_rules (
      id ${identityColumn(dialect)},
      name text not null,
      phrase text,
      link_host text,
      mentions integer,
      known_days integer,
      no_contact boolean not null,
      action text not null,
      is_on boolean not null,
      created_at text not null,
      updated_at text not null)`,
    `create unique index spam_rules_name on spam_rules (name)`,
    `create table spam_hits (
      id ${identityColumn(dialect)},
      rule text not null,
      person_id bigint not null references people (id),
      kind text not null,
      thing text not null,
      action text not null,
      at text not null)`,
    `create unique index spam_hits_thing on spam_hits (thing, rule)`,
    `create index spam_hits_person on spam_hits (person_id)`,
    `create index spam_hits_at on spam_hits (at)`,
  ],
};
