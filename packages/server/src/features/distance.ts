import { sql, type RawBuilder, type SqlBool } from "kysely";
import type { Reader } from "../db/db.ts";
import type { PersonId, UserId } from "./ids.ts";

// Who is kept away from whom: blocked or ignored. Written for queries first, so
// that what somebody may not or does not want to see never leaves the database;
// each condition costs look-ups by primary key or by the index of the blocked.

/** Has none of the people in these columns, who own a thing, blocked the viewer? Else it may not see the thing. */
export function isOpenTo(
  viewerId: PersonId,
  owners: readonly string[],
): RawBuilder<SqlBool> {
  return sql<SqlBool>`not exists (select 1 from blocks
    where blocks.blocked_person_id = ${viewerId}
      and blocks.person_id ${isOneOf(owners)})`;
}

/** Does the reader avoid none of the people in these columns? What they wrote it may see, but does not want to. */
export function isWelcomeTo(
  readerId: PersonId,
  writers: readonly string[],
): RawBuilder<SqlBool> {
  const isWriter = isOneOf(writers);
  return sql<SqlBool>`(not exists (select 1 from blocks
      where blocks.person_id = ${readerId}
        and blocks.blocked_person_id ${isWriter})
    and not exists (select 1 from ignores
      where ignores.person_id = ${readerId}
        and ignores.ignored_person_id ${isWriter}))`;
}

function isOneOf(columns: readonly string[]): RawBuilder<unknown> {
  return sql`in (${sql.join(columns.map((column) => sql.ref(column)))})`;
}

/**
 * The ids of all whom a person avoids or who have blocked it: few, mostly nobody.
 * For a query that asks it of very many rows, and so reads them once.
 */
export const keptAwayFrom = (personId: PersonId): RawBuilder<unknown> => sql`
    select blocked_person_id from blocks where person_id = ${personId}
    union all
    select ignored_person_id from ignores where person_id = ${personId}
    union all
    select person_id from blocks where blocked_person_id = ${personId}`;

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

/** Those of these people whom the person has blocked. */
export async function listBlockedAmong(
  reader: Reader,
  personId: PersonId,
  ids: readonly PersonId[],
): Promise<PersonId[]> {
  if (ids.length === 0) return [];
  const rows = await reader
    .selectFrom("blocks")
    .select("blocked_person_id")
    .where("person_id", "=", personId)
    .execute();
  const blocked = new Set<number>(rows.map((row) => row.blocked_person_id));
  return ids.filter((id) => blocked.has(id));
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
