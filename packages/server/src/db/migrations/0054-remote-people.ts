import type { DialectName } from "../db.ts";
import type { Migration } from "../migration.ts";

/**
 * Protocols leave what features keep. How people elsewhere are reached stands in a table
 * of its own, and contacts speak of requests that are confirmed.
 */
export const remotePeople: Migration = {
  number: 54,
  name: "remote-people",
  statements: (dialect) => [
    ...moveRemotePeople(dialect),
    `alter table contacts rename column follow_guid to request_guid`,
    `alter table contacts rename column follow_accepted to confirmed`,
    renameInFacts(dialect),
  ],
};

/** Columns of people that are the new table's from now on. */
const MOVED = [
  "protocol",
  "protocol_open",
  "has_diaspora_key",
  "diaspora_guid",
  "inbox_uri",
  "shared_inbox_uri",
  "followers_uri",
  "seed_location",
  "profile_url",
  "discovered_at",
];

function moveRemotePeople(dialect: DialectName): string[] {
  const columns = MOVED.join(", ");
  // As the row's own number SQLite finds it without an index.
  const id = dialect === "sqlite" ? "integer" : "bigint";
  return [
    `create table remote_people (
      person_id ${id} not null primary key references people(id),
      protocol text, protocol_open boolean not null default false,
      has_diaspora_key boolean not null, diaspora_guid text,
      uri text unique, inbox_uri text, shared_inbox_uri text,
      followers_uri text, seed_location text, profile_url text,
      discovered_at text)`,
    `insert into remote_people (person_id, uri, ${columns})
      select id, actor_uri, ${columns} from people where user_id is null`,
    `create index remote_people_profile_url on remote_people(profile_url)`,
    `drop index people_profile_url`,
    ...MOVED.map((column) => `alter table people drop column ${column}`),
    // SQLite drops no unique column but with its table, which all others refer to.
    dialect === "sqlite"
      ? `update people set actor_uri = null where actor_uri is not null`
      : `alter table people drop column actor_uri`,
  ];
}

/** Facts that an older Kith left in the queue name the request as it is named now. */
function renameInFacts(dialect: DialectName): string {
  const [fact, renamed] =
    dialect === "sqlite"
      ? [
          "payload",
          `json_remove(json_set(payload, '$.requestGuid', payload ->> 'followGuid'), '$.followGuid')`,
        ]
      : [
          "payload::jsonb",
          `(jsonb_set(payload::jsonb, '{requestGuid}', payload::jsonb -> 'followGuid') - 'followGuid')::text`,
        ];
  return `update jobs set payload = ${renamed}
    where kind in ('fan-out', 'notify')
    and ${fact} ->> 'type' in ('contact.changed', 'follow.refused')
    and ${fact} ->> 'followGuid' is not null`;
}
