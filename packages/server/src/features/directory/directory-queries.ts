import { sql, type SqlBool } from "kysely";
import type { Reader } from "../../db/db.ts";
import type { PersonId, PostId } from "../ids.ts";
import type { Author } from "../posts/index.ts";
import { idAt } from "../time-id.ts";
import {
  appearsTo,
  isNotBlockedByAuthor,
  isNotBlockedOrIgnored,
  isNotSilencedFor,
} from "../visibility/index.ts";

/** More posts are not looked at, so that a flood of them costs no more. */
const NEWEST = 2_000;

/**
 * Apps ask for suggestions at each start. Only the newest contacts count, and of them the posts
 * of some days, so that the cost is bounded for those who follow thousands of people.
 */
const MOST_FOLLOWED = 500;
const RESHARED_WITHIN_MS = 7 * 24 * 60 * 60 * 1000;

/** A part of a list by its offset. */
export type DirectoryPage = { readonly offset: number; readonly limit: number };

/** A condition on `people` and `profiles`: they want to be found, and the user finds them. */
const isFindable = ({ userId, personId }: Author) =>
  sql<SqlBool>`(people.state = 'active' and profiles.searchable
    and ${isNotSilencedFor(userId, ["people.id"])}
    and ${isNotBlockedOrIgnored(personId, ["people.id"])}
    and ${isNotBlockedByAuthor(personId, ["people.id"])})`;

/** The newest people first. */
export async function listNewest(
  reader: Reader,
  user: Author,
  { offset, limit }: DirectoryPage,
): Promise<PersonId[]> {
  // SQLite keeps the order of a cross join: people who do not want to be found are not read.
  const rows = await reader
    .selectFrom("profiles")
    .crossJoin("people")
    .whereRef("people.id", "=", "profiles.person_id")
    .where(isFindable(user))
    .select("people.id")
    .orderBy("profiles.person_id", "desc")
    .offset(offset)
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** The newest people of this server first. */
export async function listNewestLocal(
  reader: Reader,
  user: Author,
  { offset, limit }: DirectoryPage,
): Promise<PersonId[]> {
  // A cross join, as above: people elsewhere are not read.
  const rows = await reader
    .selectFrom("people")
    .crossJoin("profiles")
    .whereRef("profiles.person_id", "=", "people.id")
    .where("people.user_id", "is not", null)
    .where(isFindable(user))
    .select("people.id")
    .orderBy("people.id", "desc")
    .offset(offset)
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** The authors of the newest public posts first. */
export async function listActive(
  reader: Reader,
  user: Author,
  isLocal: boolean,
  { offset, limit }: DirectoryPage,
): Promise<PersonId[]> {
  const newest = reader
    .selectFrom("posts")
    .select(["posts.id", "posts.person_id"])
    // As the condition of the index is written.
    .where(sql<SqlBool>`posts.public and posts.listed`)
    .orderBy("posts.id", "desc")
    .limit(NEWEST);
  // A cross join, as above: no other people are read.
  const rows = await reader
    .selectFrom(newest.as("newest"))
    .crossJoin("people")
    .innerJoin("profiles", "profiles.person_id", "people.id")
    .whereRef("people.id", "=", "newest.person_id")
    .where(isFindable(user))
    .$if(isLocal, (query) => query.where("people.user_id", "is not", null))
    .select(["people.id", sql<number>`max(newest.id)`.as("last")])
    .groupBy("people.id")
    .orderBy("last", "desc")
    .offset(offset)
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * The authors whom most people reshared in the last days, of those whom the user follows and in
 * what the user sees of them. The user follows none of these authors.
 */
export async function listReshared(
  reader: Reader,
  user: Author,
  limit: number,
  now: Date,
): Promise<PersonId[]> {
  const since = new Date(now.getTime() - RESHARED_WITHIN_MS);
  const newest = reader
    .selectFrom("posts")
    .select(["posts.person_id", "posts.root_person_id"])
    .where("posts.public", "=", true)
    .where("posts.root_person_id", "is not", null)
    .where("posts.person_id", "in", (eb) =>
      eb
        .selectFrom("contacts")
        .select("contacts.person_id")
        .where("contacts.user_id", "=", user.userId)
        .where("contacts.following", "=", true)
        .orderBy("contacts.id", "desc")
        .limit(MOST_FOLLOWED),
    )
    .where("posts.id", ">", sql<PostId>`${idAt(since)}`)
    .where(appearsTo(user))
    .orderBy("posts.id", "desc")
    .limit(NEWEST);
  const rows = await reader
    .selectFrom(newest.as("newest"))
    .crossJoin("people")
    .innerJoin("profiles", "profiles.person_id", "people.id")
    .whereRef("people.id", "=", "newest.root_person_id")
    .where(isFindable(user))
    .where("people.id", "<>", user.personId)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom("contacts")
            .select("contacts.id")
            .whereRef("contacts.person_id", "=", "people.id")
            .where("contacts.user_id", "=", user.userId)
            .where("contacts.following", "=", true),
        ),
      ),
    )
    .select([
      "people.id",
      sql<number>`count(distinct newest.person_id)`.as("resharers"),
    ])
    .groupBy("people.id")
    .orderBy("resharers", "desc")
    .orderBy("people.id", "desc")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}
