import type { DialectName } from "../db.ts";
import type { Migration } from "../migration.ts";

/** Protocols leave what features keep: contacts speak of requests that are confirmed. */
export const remotePeople: Migration = {
  number: 54,
  name: "remote-people",
  statements: (dialect) => [
    `alter table contacts rename column follow_guid to request_guid`,
    `alter table contacts rename column follow_accepted to confirmed`,
    renameInFacts(dialect),
  ],
};

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
