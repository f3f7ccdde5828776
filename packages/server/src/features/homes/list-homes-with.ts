import { sql } from "kysely";
import type { Reader } from "../../db/db.ts";
import { isListed, isListedText } from "../../db/prepared-query.ts";
import type { PersonId, UserId } from "../ids.ts";
import { HOME_TAGS, READ_PEOPLE } from "./home-rule.ts";

/** The parts of a post that decide in whose home it is, beside who may see it. */
export type PostInHomes = {
  readonly guid: string;
  readonly authorId: PersonId;
  readonly tags: readonly string[];
};

/** The counts below a post that more people reshared are not told to all of their contacts. */
const MAX_RESHARERS = 500;

/**
 * Which of these users may have the post in their home or the list of an exclusive aspect:
 * because of its author, its tags or the last people who reshared it. Whether they may see it
 * is another question.
 */
export async function listHomesWith(
  reader: Reader,
  { guid, authorId, tags }: PostInHomes,
  users: readonly UserId[],
): Promise<Set<UserId>> {
  if (users.length === 0) return new Set();
  const asked = JSON.stringify(users);
  const { rows } = await sql<{ user_id: UserId }>`
    select home_people.user_id from ${READ_PEOPLE}
    where home_people.person_id = ${authorId}
      and ${isListed(reader, "home_people.user_id", asked)}
    union
    select home_people.user_id
    from (select posts.person_id from posts where posts.root_guid = ${guid}
      order by posts.id desc limit ${MAX_RESHARERS}) as resharers
    join ${READ_PEOPLE} on home_people.person_id = resharers.person_id
    where ${isListed(reader, "home_people.user_id", asked)}
    union
    select home_tags.user_id from ${HOME_TAGS}
    where ${isListedText(reader, "home_tags.tag", JSON.stringify(tags))}
      and ${isListed(reader, "home_tags.user_id", asked)}
      and not exists (select 1 from people as author
        where author.id = ${authorId} and author.silenced)`.execute(reader);
  return new Set(rows.map((row) => row.user_id));
}
