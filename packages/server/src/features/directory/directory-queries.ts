import { sql } from "kysely";
import type { Reader } from "../../db/db.ts";
import type { PersonId } from "../ids.ts";
import type { Author } from "../posts/index.ts";
import {
  appearsTo,
  isNotBlockedByAuthor,
  isNotBlockedOrIgnored,
  isNotSilencedFor,
} from "../visibility/index.ts";

/** More posts are not looked at, so that a flood of them costs no more. */
const NEWEST = 2_000;

/** A part of a list by its offset. */
export type DirectoryPage = { readonly offset: number; readonly limit: number };

/** People who want to be found, as the user finds them. */
const findable = (reader: Reader, { userId, personId }: Author) =>
  reader
    .selectFrom("people")
    .innerJoin("profiles", "profiles.person_id", "people.id")
    .where("people.state", "=", "active")
    .where("profiles.searchable", "=", true)
    .where(isNotSilencedFor(userId, ["people.id"]))
    .where(isNotBlockedOrIgnored(personId, ["people.id"]))
    .where(isNotBlockedByAuthor(personId, ["people.id"]));

/** The newest people first. @param isLocal those of this server alone */
export async function listNewest(
  reader: Reader,
  user: Author,
  isLocal: boolean,
  { offset, limit }: DirectoryPage,
): Promise<PersonId[]> {
  const rows = await findable(reader, user)
    .$if(isLocal, (query) => query.where("people.user_id", "is not", null))
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
    .where("posts.public", "=", true)
    .where("posts.listed", "=", true)
    .orderBy("posts.id", "desc")
    .limit(NEWEST);
  const rows = await findable(reader, user)
    .innerJoin(newest.as("newest"), "newest.person_id", "people.id")
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
 * The authors whom most people reshared, of those whom the user follows and in what the user
 * sees of them. The user follows none of these authors.
 */
export async function listReshared(
  reader: Reader,
  user: Author,
  limit: number,
): Promise<PersonId[]> {
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
        .where("contacts.following", "=", true),
    )
    .where(appearsTo(user))
    .orderBy("posts.id", "desc")
    .limit(NEWEST);
  const rows = await findable(reader, user)
    .innerJoin(newest.as("newest"), "newest.root_person_id", "people.id")
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
