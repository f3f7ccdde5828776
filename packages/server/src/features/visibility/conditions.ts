import { sql, type RawBuilder, type SqlBool } from "kysely";
import type { Reader } from "../../db/db.ts";
import type { PersonId, UserId } from "../ids.ts";

// Who is kept away from whom: blocked or ignored. Written for queries first, so
// that what somebody may not or does not want to see never leaves the database;
// each condition costs look-ups by primary key or by the index of the blocked.

/** Has none of the people in these columns, who own a thing, blocked the viewer? Else it may not see the thing. */
export function isNotBlockedByAuthor(
  viewerId: PersonId,
  owners: readonly string[],
): RawBuilder<SqlBool> {
  return sql<SqlBool>`not exists (select 1 from blocks
    where blocks.blocked_person_id = ${viewerId}
      and blocks.person_id ${isOneOf(owners)})`;
}

/** Does the reader avoid none of the people in these columns? What they wrote it may see, but does not want to. */
export function isNotBlockedOrIgnored(
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

/** Is nobody in these columns suspended, or of a server that is blocked here? What they wrote is shown to nobody. */
export function isShown(writers: readonly string[]): RawBuilder<SqlBool> {
  return sql<SqlBool>`not exists (select 1 from people as shut_out
    where shut_out.state = 'shut_out' and shut_out.id ${isOneOf(writers)})`;
}

/**
 * The same of one column, for a query that counts crowds: those who are shown to
 * nobody are read once, instead of looking up each of the crowd.
 */
export function isOfShown(writer: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.ref(writer)} not in (select shut_out.id
    from people as shut_out where shut_out.state = 'shut_out')`;
}

/** The same of one column, for a query that counts crowds: is the viewer blocked by nobody of them? */
export function isOfOpen(
  viewerId: PersonId,
  owner: string,
): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.ref(owner)} not in (select blocks.person_id
    from blocks where blocks.blocked_person_id = ${viewerId})`;
}

/** The same of one column, for a query that counts crowds: does the reader avoid none of them? */
export function isOfWelcome(
  readerId: PersonId,
  writer: string,
): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${sql.ref(writer)} not in (select blocks.blocked_person_id
      from blocks where blocks.person_id = ${readerId})
    and ${sql.ref(writer)} not in (select ignores.ignored_person_id
      from ignores where ignores.person_id = ${readerId}))`;
}

/**
 * Does what these wrote come up in the lists of everybody? Of a silenced server,
 * and of somebody silenced, it does for those alone who have the writer among
 * their contacts, and for the writer.
 */
export function isNotSilencedFor(
  userId: UserId | null,
  writers: readonly string[],
): RawBuilder<SqlBool> {
  return sql<SqlBool>`not exists (select 1 from people as silenced
    where silenced.silenced and silenced.id ${isOneOf(writers)}
      and ${isNoContactOf(userId, "silenced")})`;
}

const isNoContactOf = (userId: UserId | null, person: string) => sql<SqlBool>`
  coalesce(${sql.ref(`${person}.user_id`)}, -2) <> ${userId ?? -1}
  and not exists (select 1 from contacts where contacts.user_id = ${userId ?? -1}
    and contacts.person_id = ${sql.ref(`${person}.id`)} and contacts.following)`;

/** The ids of those who are silenced, or their servers, and whom the user has not among its contacts. For a query that asks it of very many rows. */
export const silencedAuthorIds = (
  userId: UserId | null,
): RawBuilder<unknown> => sql`
    select people.id from people where people.silenced
      and ${isNoContactOf(userId, "people")}`;

/** Are pictures of the person in this column shown? Not of a server whose pictures are not wanted. */
export function isPictured(owner: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`not exists (select 1 from people as unpictured
    where unpictured.media_rejected and unpictured.id = ${sql.ref(owner)})`;
}

/** Is a user here told of what somebody does? Not of strangers who are silenced, or their server, nor of anybody who is suspended or of a server that is blocked. */
export async function isHeard(
  reader: Reader,
  userId: UserId,
  writerId: PersonId,
): Promise<boolean> {
  const row = await reader
    .selectFrom("people")
    .select("people.id")
    .where("people.id", "=", writerId)
    .where(isShown(["people.id"]))
    .where(isNotSilencedFor(userId, ["people.id"]))
    .executeTakeFirst();
  return row !== undefined;
}

/** Is somebody suspended, or of a server that is blocked here? */
export async function isShutOut(
  reader: Reader,
  personId: PersonId,
): Promise<boolean> {
  const row = await reader
    .selectFrom("people")
    .select("id")
    .where("id", "=", personId)
    .where("state", "=", "shut_out")
    .executeTakeFirst();
  return row !== undefined;
}

function isOneOf(columns: readonly string[]): RawBuilder<unknown> {
  return sql`in (${sql.join(columns.map((column) => sql.ref(column)))})`;
}

/**
 * The ids of all whom a person avoids, who have blocked it, or who are shown to
 * nobody: few, mostly nobody.
 * For a query that asks it of very many rows, and so reads them once.
 */
export const hiddenAuthorIds = (personId: PersonId): RawBuilder<unknown> => sql`
    select blocked_person_id from blocks where person_id = ${personId}
    union all
    select ignored_person_id from ignores where person_id = ${personId}
    union all
    select person_id from blocks where blocked_person_id = ${personId}
    union all
    select id from people where state = 'shut_out'`;

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
