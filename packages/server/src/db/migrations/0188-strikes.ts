import type { DialectName } from "../db.ts";
import { identityColumn } from "../dialect.ts";
import type { Migration } from "../migration.ts";

/**
 * What moderators decided about people here, in words for them, and their appeals. The reasons
 * that moderators noted so far were for moderators, and stay theirs.
 */
export const strikes: Migration = {
  number: 188,
  name: "strikes",
  statements: (dialect) => [
    `create table strikes (
      id ${identityColumn(dialect)},
      guid text not null,
      person_id bigint not null references people (id),
      action text not null,
      message text not null,
      excerpt text,
      created_at text not null,
      ended_at text,
      appeal text,
      appealed_at text,
      decided_at text,
      accepted boolean)`,
    `create unique index strikes_guid on strikes (guid)`,
    `create index strikes_person on strikes (person_id, id)`,
    `create index strikes_appealed on strikes (id) where appealed_at is not null`,
    standing(dialect, "suspend", "suspended"),
    standing(dialect, "silence", "silenced"),
  ],
};

/** The decisions in force, which can be appealed within the term like later ones. */
function standing(
  dialect: DialectName,
  action: string,
  column: string,
): string {
  const guid =
    dialect === "sqlite"
      ? "lower(hex(randomblob(16)))"
      : "replace(gen_random_uuid()::text, '-', '')";
  return `insert into strikes (guid, person_id, action, message, created_at)
    select ${guid}, person_decisions.person_id, '${action}', '',
      person_decisions.${column}_at
    from person_decisions join people on people.id = person_decisions.person_id
    where people.user_id is not null and person_decisions.${column}
      and person_decisions.${column}_at is not null`;
}
