import { sql, type RawBuilder, type SqlBool } from "kysely";
import type { Reader } from "../../db/db.ts";
import { prepareQuery } from "../../db/prepared-query.ts";
import type { PersonId, UserId } from "../ids.ts";
import { inColumns } from "./in-columns.ts";

// Decisions of moderators about people and their servers: suspended (shown to no one),
// silenced (listed for their contacts alone), images rejected.

/** No author in these columns is suspended, or on a blocked server. */
export function isNotSuspended(
  authors: readonly string[],
): RawBuilder<SqlBool> {
  return sql<SqlBool>`not exists (select 1 from people as suspended
    where suspended.state = 'shut_out' and suspended.id ${inColumns(authors)})`;
}

/** The same for one column, in a query over very many rows: reads the suspended people once. */
export function isNotSuspendedAmongMany(author: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.ref(author)} not in (select suspended.id
    from people as suspended where suspended.state = 'shut_out')`;
}

/** Is the person suspended, or on a blocked server? */
export async function isSuspended(
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

/**
 * Posts of the authors in these columns are listed publicly. Those of silenced people and
 * servers are listed only for themselves and for users who follow them.
 */
export function isNotSilencedFor(
  userId: UserId | null,
  authors: readonly string[],
): RawBuilder<SqlBool> {
  return sql<SqlBool>`not exists (select 1 from people as silenced
    where silenced.silenced and silenced.id ${inColumns(authors)}
      and ${isNotContactOf(userId, "silenced")})`;
}

/** The ids of the people who are silenced for the user. For a query over very many rows. */
export const silencedAuthorIds = (
  userId: UserId | null,
): RawBuilder<unknown> => sql`
    select people.id from people where people.silenced
      and ${isNotContactOf(userId, "people")}`;

const isNotContactOf = (userId: UserId | null, person: string) => sql<SqlBool>`
  coalesce(${sql.ref(`${person}.user_id`)}, -2) <> ${userId ?? -1}
  and not exists (select 1 from contacts where contacts.user_id = ${userId ?? -1}
    and contacts.person_id = ${sql.ref(`${person}.id`)} and contacts.following)`;

/** Does the author notify the user? Not if suspended, nor if silenced and not a contact. */
export async function mayNotify(
  reader: Reader,
  userId: UserId,
  authorId: PersonId,
): Promise<boolean> {
  return (await notifying(reader, { userId, authorId })).length > 0;
}

const notifying = prepareQuery<
  { userId: UserId; authorId: PersonId },
  { id: PersonId }
>((reader, value) =>
  reader
    .selectFrom("people")
    .select("people.id")
    .where("people.id", "=", value("authorId"))
    .where(isNotSuspended(["people.id"]))
    .where(isNotSilencedFor(value("userId"), ["people.id"]))
    .compile(),
);

/**
 * Images of the person in this column are shown: those of the person's server are not
 * rejected.
 */
export function mayShowPicturesOf(owner: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`not exists (select 1 from people as unpictured
    where unpictured.media_rejected and unpictured.id = ${sql.ref(owner)})`;
}
