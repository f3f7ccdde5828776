import type { Reader } from "../../db/db.ts";
import { prepareQuery } from "../../db/prepared-query.ts";
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
  return rows.map((row) => row.person_id as PersonId);
}

export type Direction = "followers" | "following";

/** One page of those who share with the user, or of those with whom the user shares. */
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
    .where(direction === "followers" ? "sharing" : "following", "=", true)
    .orderBy("id", "desc")
    .offset(page.offset)
    .limit(page.limit)
    .execute();
  return rows.map((row) => row.person_id as PersonId);
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
    .where(direction === "followers" ? "sharing" : "following", "=", true)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** The users here who share with this person, or with whom it shares. */
export async function listUsersRelatedTo(
  reader: Reader,
  personId: PersonId,
): Promise<UserId[]> {
  const rows = await selectRelatedTo(reader, { personId });
  return rows.map((row) => row.user_id as UserId);
}

const selectRelatedTo = prepareQuery<{ personId: number }, { user_id: number }>(
  (reader, value) =>
    reader
      .selectFrom("contacts")
      .select("user_id")
      .where("person_id", "=", value("personId"))
      .where((eb) =>
        eb.or([eb("following", "=", true), eb("sharing", "=", true)]),
      )
      .compile(),
);
