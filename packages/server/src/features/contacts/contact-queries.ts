import type { ExpressionBuilder, NotNull } from "kysely";
import type { Reader } from "../../db/db.ts";
import { isOneOf } from "../../db/dialect.ts";
import { dialectOf, prepareQuery } from "../../db/prepared-query.ts";
import type { Database } from "../../db/schema/schema.ts";
import { isFollowedUnasked } from "../../db/schema/remote-person.ts";
import type { PersonId, UserId } from "../ids.ts";
import type { Page } from "../page.ts";

/** Everybody whom the user shares with or who shares with the user. */
export async function listContactIds(
  reader: Reader,
  userId: UserId,
): Promise<PersonId[]> {
  const rows = await reader
    .selectFrom("contacts")
    .select("person_id")
    .where("user_id", "=", userId)
    .where((eb) =>
      eb.or([eb("following", "=", true), eb("sharing", "=", true)]),
    )
    .execute();
  return rows.map((row) => row.person_id);
}

export type Direction = "followers" | "following";

/** It counts once it has been confirmed, where the person is asked. */
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

/** One page of those who share with the user, or of those with whom the user shares and who agree to it. */
export async function listDirection(
  reader: Reader,
  userId: UserId,
  direction: Direction,
  page: Page,
): Promise<PersonId[]> {
  const rows = await reader
    .selectFrom("contacts")
    .select("person_id")
    .where("user_id", "=", userId)
    .where(direction === "followers" ? isFollower : isFollowing)
    .orderBy("id", "desc")
    .offset(page.offset)
    .limit(page.limit)
    .execute();
  return rows.map((row) => row.person_id);
}

/**
 * The users here who follow a person elsewhere as it has confirmed, with their handles:
 * what its server counts as followers here. Who follows unasked is not among them.
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

/** Those of some people who have an account here that is in use. */
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

/** The users here who share with this person, or with whom it shares. */
export async function listUsersRelatedTo(
  reader: Reader,
  personId: PersonId,
): Promise<UserId[]> {
  const rows = await selectRelatedTo(reader, { personId });
  return rows.map((row) => row.user_id);
}

/**
 * Somebody here who follows this person or, where `either` says so, whom the
 * person follows. Of several the one who was here first.
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

/** The people here who get what this person posts for its followers. */
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
);

type OfPerson = { personId: PersonId };
type OfUser = { user_id: UserId };

/** Does anybody here share with this person, or it with them? */
export async function isRelatedToAnybody(
  reader: Reader,
  personId: PersonId,
): Promise<boolean> {
  const [row] = await selectFirstRelated(reader, { personId });
  return row !== undefined;
}

/** Does anybody here follow this person, or ask to? */
export async function hasFollowersHere(
  reader: Reader,
  personId: PersonId,
): Promise<boolean> {
  const [row] = await selectFirstFollowing(reader, { personId });
  return row !== undefined;
}

/** Does anybody here follow this person, and has it agreed to that? */
export async function isFollowedByAnybody(
  reader: Reader,
  personId: PersonId,
): Promise<boolean> {
  const [row] = await selectAnyFollowing(reader, { personId });
  return row !== undefined;
}

const selectAnyFollowing = prepareQuery<OfPerson, OfUser>((reader, value) =>
  relatedTo(reader, value("personId")).where(isFollowing).limit(1).compile(),
);

const selectFirstFollowing = prepareQuery<OfPerson, OfUser>((reader, value) =>
  relatedTo(reader, value("personId"))
    .where("following", "=", true)
    .orderBy("user_id")
    .limit(1)
    .compile(),
);

const selectFirstRelated = prepareQuery<OfPerson, OfUser>((reader, value) =>
  relatedTo(reader, value("personId"))
    .where(inEitherDirection)
    .orderBy("user_id")
    .limit(1)
    .compile(),
);

const selectRelatedTo = prepareQuery<OfPerson, OfUser>((reader, value) =>
  relatedTo(reader, value("personId")).where(inEitherDirection).compile(),
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
