import type { DialectName } from "../db.ts";
import type { Migration } from "../migration.ts";

/**
 * The Follow by which somebody shares with a user is known by its id with the contact,
 * and no longer by the answer to it, of which there is one for each thing asked, for a
 * time.
 */
export const answersGiven: Migration = {
  number: 37,
  name: "answers-given",
  statements: (dialect) => [
    `alter table contacts add column sharing_uri text`,
    `alter table sent_activities add column answers text`,
    `alter table sent_activities add column expires_at text`,
    carryFollowIds(dialect),
    // They hold what strangers sent, of whatever length.
    `delete from sent_activities where ${IS_ANSWER}`,
    `create unique index sent_activities_answers on sent_activities(answers)`,
    `create index sent_activities_expires on sent_activities(expires_at)
      where expires_at is not null`,
  ],
};

/** Within a text a quotation mark has a backslash before it: these are members. */
const IS_ANSWER = `(document like '%"type":"Accept"%'
    or document like '%"type":"Reject"%')
  and (document like '%"type":"Follow"%' or document like '%"type":"Join"%'
    or document like '%"type":"QuoteRequest"%')`;

function carryFollowIds(dialect: DialectName): string {
  const text = (column: string, ...path: string[]) =>
    dialect === "postgres"
      ? `${column}::json #>> '{${path.join(",")}}'`
      : `json_extract(${column}, '$${path.map(toStep).join("")}')`;
  // What PostgreSQL holds for no text would stop it.
  const whole = (expression: string) =>
    `case when a.document not like '%\\u%' escape '!' then ${expression} end`;
  const id = whole(text("a.document", "object", "id"));
  return `update contacts set sharing_uri = substr(latest.follow, 25)
    from (
      select followed.user_id as user_id, follower.id as person_id,
        max(a.created_at || ${id}) as follow
      from sent_activities a
      join people followed on followed.id = a.person_id
      join people follower on follower.actor_uri = ${whole(text("a.addressees", "0"))}
      where a.document like '%"type":"Accept"%'
        and ${whole(text("a.document", "object", "type"))} = 'Follow'
      group by followed.user_id, follower.id
    ) as latest
    where contacts.user_id = latest.user_id
      and contacts.person_id = latest.person_id
      and contacts.sharing and length(latest.follow) <= 24 + 2048`;
}

function toStep(step: string): string {
  return /^\d+$/.test(step) ? `[${step}]` : `.${step}`;
}
