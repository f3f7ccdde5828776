import type { Reader } from "../db/db.ts";
import type { PersonId, UserId } from "./ids.ts";

/** Does the person want nothing to do with the other one? */
export async function hasBlocked(
  reader: Reader,
  personId: PersonId,
  otherId: PersonId,
): Promise<boolean> {
  const row = await reader
    .selectFrom("blocks")
    .select("person_id")
    .where("person_id", "=", personId)
    .where("blocked_person_id", "=", otherId)
    .executeTakeFirst();
  return row !== undefined;
}

/** The same for a user here. */
export async function hasUserBlocked(
  reader: Reader,
  userId: UserId,
  otherId: PersonId,
): Promise<boolean> {
  const row = await reader
    .selectFrom("blocks")
    .innerJoin("people", "people.id", "blocks.person_id")
    .select("people.id")
    .where("people.user_id", "=", userId)
    .where("blocks.blocked_person_id", "=", otherId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Those of these people who have blocked the person. */
export async function listBlockersAmong(
  reader: Reader,
  personId: PersonId,
  ids: readonly PersonId[],
): Promise<Set<PersonId>> {
  if (ids.length === 0) return new Set();
  const rows = await reader
    .selectFrom("blocks")
    .select("person_id")
    .where("blocked_person_id", "=", personId)
    .execute();
  const blockers = new Set(rows.map((row) => row.person_id as PersonId));
  return new Set(ids.filter((id) => blockers.has(id)));
}

/** Does the person want to read nothing of the other one, blocked or ignored? */
export async function avoids(
  reader: Reader,
  personId: PersonId,
  otherId: PersonId,
): Promise<boolean> {
  if (await hasBlocked(reader, personId, otherId)) return true;
  const row = await reader
    .selectFrom("ignores")
    .select("person_id")
    .where("person_id", "=", personId)
    .where("ignored_person_id", "=", otherId)
    .executeTakeFirst();
  return row !== undefined;
}
