import type { DialectName } from "../db.ts";
import type { Migration } from "../migration.ts";

/**
 * Each author's retraction under a Guid is a row of its own. SQLite changes no primary
 * key: the table is made anew. Until now there was one row for each Guid, so that it also
 * says whose thing a fact means that is still to be told.
 */
export const retractionsOfAuthors: Migration = {
  number: 49,
  name: "retractions-of-authors",
  statements: (dialect) => [
    ...nameAuthors(dialect),
    ...(dialect === "sqlite" ? remade() : rekeyed()),
  ],
};

function rekeyed(): string[] {
  return [
    `alter table tombstones drop constraint tombstones_pkey`,
    `alter table tombstones add primary key (kind, guid, person_id)`,
  ];
}

function remade(): string[] {
  const columns = "kind, guid, person_id, uri, details, created_at, origin";
  return [
    `alter table tombstones rename to tombstones_by_guid`,
    `create table tombstones (
      kind text not null, guid text not null,
      person_id bigint not null references people(id), uri text,
      details text not null, created_at text not null, origin text,
      primary key (kind, guid, person_id))`,
    `insert into tombstones (${columns}) select ${columns} from tombstones_by_guid`,
    `drop table tombstones_by_guid`,
    `create index tombstones_uri on tombstones(uri)`,
    `create index tombstones_person on tombstones(person_id)`,
    `create index tombstones_early on tombstones(origin, created_at)
      where origin is not null`,
  ];
}

const KIND_OF = {
  "comment.retracted": "Comment",
  "like.retracted": "Like",
  "vote.retracted": "PollParticipation",
} as const;

/** Facts of what was said below posts name its author from now on. */
function nameAuthors(dialect: DialectName): string[] {
  const fact = dialect === "sqlite" ? "payload" : "payload::json";
  const named =
    dialect === "sqlite"
      ? "json_set(payload, '$.authorId', tombstones.person_id)"
      : "jsonb_set(payload::jsonb, '{authorId}', to_jsonb(tombstones.person_id))::text";
  return Object.entries(KIND_OF).map(
    ([type, kind]) => `update jobs set payload = ${named} from tombstones
      where jobs.kind in ('fan-out', 'notify')
      and ${fact} ->> 'type' = '${type}'
      and tombstones.kind = '${kind}'
      and tombstones.guid = ${fact} ->> 'guid'`,
  );
}
