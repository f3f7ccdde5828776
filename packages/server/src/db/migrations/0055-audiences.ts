import type { DialectName } from "../db.ts";
import type { Migration } from "../migration.ts";

/**
 * A post keeps what its author addressed it to: followers, aspects by name, named people or
 * nobody. An account keeps the audience of posts without one.
 */
export const audiences: Migration = {
  number: 55,
  name: "audiences",
  statements: (dialect) => [
    `alter table posts add column limited_to text`,
    `alter table posts add column audience_aspects text`,
    `alter table users add column default_audience text`,
    `update posts set limited_to = 'aspects', audience_aspects = (
        select ${nameAspect(dialect)} from aspects where aspects.id = posts.aspect_id)
      where not public and aspect_id is not null`,
    `update posts set limited_to = case when exists (
        select 1 from post_recipients where post_recipients.post_id = posts.id)
        then 'people' else 'self' end
      where not public and aspect_id is null and exists (
        select 1 from people where people.id = posts.person_id
        and people.user_id is not null)`,
    `alter table posts drop column aspect_id`,
  ],
};

/** An aspect that was deleted has left no name. */
function nameAspect(dialect: DialectName): string {
  return dialect === "sqlite"
    ? `json_array(json_object('id', aspects.id, 'name', aspects.name))`
    : `json_build_array(json_build_object('id', aspects.id, 'name', aspects.name))::text`;
}
