import type { ExpressionBuilder, NotNull } from "kysely";
import type { Reader } from "../../db/db.ts";
import { isOneOf } from "../../db/dialect.ts";
import { dialectOf, isListed, prepareQuery } from "../../db/prepared-query.ts";
import type { Database } from "../../db/schema/schema.ts";
import { isFollowedUnasked } from "../../db/schema/remote-person.ts";
import type { PersonId, UserId } from "../ids.ts";
import { fetchPage, type Page } from "../page.ts";

/** Lists everyone the user shares with, or who shares with the user. */
export async function listContactIds(
  reader: Reader,
  userId: UserId,
): Promise<PersonId[]> {
  const rows = await contactsOf(reader, { userId });
  return rows.map((row) => row.person_id);
}

const contactsOf = prepareQuery<{ userId: UserId }, { person_id: PersonId }>(
  (reader, value) =>
    reader
      .selectFrom("contacts")
      .select("person_id")
      .where("user_id", "=", value("userId"))
      .where(inEitherDirection)
      .compile(),
  { types: { userId: "bigint" } },
);

export type Direction = "followers" | "following";

/**
 * A list of a user's contacts: those in an aspect, also while they have not agreed; those of
 * them who share with the user; those who share with the user, but are in no aspect; all
 * of these; and those whom the user shows on its profile.
 */
export type ContactList = "held" | "mutual" | "unheld" | "known" | "featured";

/** A follow counts only once confirmed, if the person confirms follows. */
const isFollowing = (eb: ExpressionBuilder<Database, "contacts">) =>
  eb.and([
    eb("following", "=", true),
    eb.or([
      eb("confirmed", "=", true),
      isFollowedUnasked("contacts.person_id"),
    ]),
  ]);

const isFollower = (eb: ExpressionBuilder<Database, "contacts">) =>
  eb("sharing", "=", true);

/** Lists everyone who shares with the user. */
export async function listFollowerIds(
  reader: Reader,
  userId: UserId,
): Promise<PersonId[]> {
  const rows = await reader
    .selectFrom("contacts")
    .select("person_id")
    .where("user_id", "=", userId)
    .where(isFollower)
    .execute();
  return rows.map((row) => row.person_id);
}

const LISTED = {
  followers: isFollower,
  following: isFollowing,
  held: (eb) => eb("following", "=", true),
  featured: (eb) =>
    eb.and([eb("following", "=", true), eb("featured", "=", true)]),
  mutual: (eb) => eb.and([eb("following", "=", true), isFollower(eb)]),
  known: (eb) => eb.or([eb("following", "=", true), isFollower(eb)]),
  unheld: (eb) => eb.and([eb("following", "=", false), isFollower(eb)]),
} as const satisfies Record<
  ContactList | Direction,
  (eb: ExpressionBuilder<Database, "contacts">) => unknown
>;

/** A person in a list of contacts, and the key by which its pages go on. */
export type ListedContact = {
  readonly key: number;
  readonly personId: PersonId;
};

/**
 * Lists one page of the people who share with the user, of those the user shares with who
 * have agreed to it, or of another list.
 */
export async function listDirection(
  reader: Reader,
  userId: UserId,
  list: ContactList | Direction,
  page: Page,
): Promise<ListedContact[]> {
  const query = reader
    .selectFrom("contacts")
    .select(["contacts.id", "person_id"])
    .where("user_id", "=", userId)
    .where(LISTED[list]);
  const rows = await fetchPage(query, "contacts.id", page);
  return rows.map((row) => ({ key: row.id, personId: row.person_id }));
}

/**
 * Lists the local users, with their handles, whose follow a remote person has confirmed:
 * the local followers that its server counts. Follows that need no confirmation are not
 * included.
 */
export async function listConfirmedFollowers(
  reader: Reader,
  personId: PersonId,
): Promise<{ userId: UserId; handle: string }[]> {
  const rows = await reader
    .selectFrom("contacts")
    .innerJoin("people", "people.user_id", "contacts.user_id")
    .select(["contacts.user_id", "people.handle"])
    .where("contacts.person_id", "=", personId)
    .where("contacts.following", "=", true)
    .where("contacts.confirmed", "=", true)
    .execute();
  return rows.map((row) => ({
    userId: row.user_id,
    handle: row.handle,
  }));
}

/** Returns those of the named people who have an active local account. */
export async function listUsersNamed(
  reader: Reader,
  handles: readonly string[],
  limit: number,
): Promise<{ userId: UserId; personId: PersonId }[]> {
  const list = JSON.stringify(handles);
  const rows = await reader
    .selectFrom("people")
    .select(["id", "user_id"])
    .where("user_id", "is not", null)
    .where("state", "=", "active")
    .where(isOneOf(dialectOf(reader), "handle", list))
    .orderBy("id")
    .limit(limit)
    .$narrowType<{ user_id: NotNull }>()
    .execute();
  return rows.map((row) => ({
    userId: row.user_id,
    personId: row.id,
  }));
}

/** Counts the contacts of each of these users in both directions. */
export async function countDirectionsOfEach(
  reader: Reader,
  userIds: readonly UserId[],
): Promise<Map<UserId, Readonly<Record<Direction, number>>>> {
  if (userIds.length === 0) return new Map();
  const rows = await reader
    .selectFrom("contacts")
    .select((eb) => [
      "user_id",
      eb.fn.countAll<number>().filterWhere(isFollower).as("followers"),
      eb.fn.countAll<number>().filterWhere(isFollowing).as("following"),
    ])
    .where(isListed(reader, "contacts.user_id", JSON.stringify(userIds)))
    .groupBy("user_id")
    .execute();
  return new Map(
    rows.map((row) => [
      row.user_id,
      { followers: Number(row.followers), following: Number(row.following) },
    ]),
  );
}

export async function countDirection(
  reader: Reader,
  userId: UserId,
  direction: Direction,
): Promise<number> {
  const row = await reader
    .selectFrom("contacts")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("user_id", "=", userId)
    .where(direction === "followers" ? isFollower : isFollowing)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** Lists the local users who share with this person, or with whom the person shares. */
export async function listUsersRelatedTo(
  reader: Reader,
  personId: PersonId,
): Promise<UserId[]> {
  const rows = await selectRelatedTo(reader, { personId });
  return rows.map((row) => row.user_id);
}

/**
 * Finds a local user who follows this person or, with `either`, whom the person follows.
 * Of several, returns the oldest.
 */
export async function findUserRelatedTo(
  reader: Reader,
  personId: PersonId,
  { either }: { readonly either: boolean },
): Promise<UserId | undefined> {
  const select = either ? selectFirstRelated : selectFirstFollowing;
  const [row] = await select(reader, { personId });
  return row?.user_id;
}

/** Lists the local people who receive this person's posts to followers. */
export async function listLocalFollowerIds(
  reader: Reader,
  personId: PersonId,
): Promise<PersonId[]> {
  const rows = await selectLocalFollowerIds(reader, { personId });
  return rows.map((row) => row.id);
}

const selectLocalFollowerIds = prepareQuery<OfPerson, { id: PersonId }>(
  (reader, value) =>
    reader
      .selectFrom("contacts")
      .innerJoin("people as follower", "follower.user_id", "contacts.user_id")
      .select("follower.id")
      .where("contacts.person_id", "=", value("personId"))
      .where(isFollowing)
      .compile(),
  { types: { personId: "bigint" } },
);

type OfPerson = { personId: PersonId };
type OfUser = { user_id: UserId };

/** Does any local user share with this person, or the person with any of them? */
export async function isRelatedToAnybody(
  reader: Reader,
  personId: PersonId,
): Promise<boolean> {
  const [row] = await selectFirstRelated(reader, { personId });
  return row !== undefined;
}

/** Does any local user follow this person, or have a pending follow request? */
export async function hasFollowersHere(
  reader: Reader,
  personId: PersonId,
): Promise<boolean> {
  const [row] = await selectFirstFollowing(reader, { personId });
  return row !== undefined;
}

/** Does any local user follow this person with the person's consent? */
export async function isFollowedByAnybody(
  reader: Reader,
  personId: PersonId,
): Promise<boolean> {
  const [row] = await selectAnyFollowing(reader, { personId });
  return row !== undefined;
}

const selectAnyFollowing = prepareQuery<OfPerson, OfUser>(
  (reader, value) =>
    relatedTo(reader, value("personId")).where(isFollowing).limit(1).compile(),
  { types: { personId: "bigint" } },
);

const selectFirstFollowing = prepareQuery<OfPerson, OfUser>(
  (reader, value) =>
    relatedTo(reader, value("personId"))
      .where("following", "=", true)
      .orderBy("user_id")
      .limit(1)
      .compile(),
  { types: { personId: "bigint" } },
);

const selectFirstRelated = prepareQuery<OfPerson, OfUser>(
  (reader, value) =>
    relatedTo(reader, value("personId"))
      .where(inEitherDirection)
      .orderBy("user_id")
      .limit(1)
      .compile(),
  { types: { personId: "bigint" } },
);

const selectRelatedTo = prepareQuery<OfPerson, OfUser>(
  (reader, value) =>
    relatedTo(reader, value("personId")).where(inEitherDirection).compile(),
  { types: { personId: "bigint" } },
);

function relatedTo(reader: Reader, personId: PersonId) {
  return reader
    .selectFrom("contacts")
    .select("user_id")
    .where("person_id", "=", personId);
}

function inEitherDirection(eb: ExpressionBuilder<Database, "contacts">) {
  return eb.or([eb("following", "=", true), eb("sharing", "=", true)]);
}
