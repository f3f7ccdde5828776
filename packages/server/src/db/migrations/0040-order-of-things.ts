import type { DialectName } from "../db.ts";
import type { Migration } from "../migration.ts";

/**
 * Order is owed among things about one object. What already waits in a lane of its
 * sender keeps its order there as long as nothing in it is refused, and is followed
 * by what is put in later.
 */
export const orderOfThings: Migration = {
  number: 40,
  name: "order-of-things",
  statements: (dialect) => [
    `alter table jobs add column follows text`,
    `alter table jobs add column band text`,
    `alter table jobs add column steps_aside boolean not null default false`,
    `alter table jobs add column brought_forward boolean not null default false`,
    `alter table jobs add column not_before text`,
    `create index jobs_band on jobs(band, id) where band is not null`,
    `alter table remote_hosts add column answers boolean not null default false`,
    `update jobs set band = ${OLD_BAND[dialect]}, follows = ${OLD_BAND[dialect]}, lane = null
      where kind = 'deliver' and state <> 'dead' and lane like 'deliver:%'`,
  ],
};

/** Who sends it, and the inbox; what the server itself says has a lane of its own. */
const OLD_BAND: Readonly<Record<DialectName, string>> = {
  sqlite: `case when lane like 'deliver:%>%'
    then substr(lane, 1, instr(lane, '>')) || (payload ->> 'url') else lane end`,
  postgres: `case when lane like 'deliver:%>%'
    then split_part(lane, '>', 1) || '>' || (payload::json ->> 'url') else lane end`,
};
