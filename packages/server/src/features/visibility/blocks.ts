import { sql, type RawBuilder, type SqlBool } from "kysely";
import type { Reader } from "../../db/db.ts";
import { isListed, prepareQuery } from "../../db/prepared-query.ts";
import type { PersonId, UserId } from "../ids.ts";
import { inColumns } from "./in-columns.ts";

// Blocks and ignores between people, and blocks of whole servers by people. As conditions of
// queries first, so that a hidden row never leaves the database; each costs look-ups by
// primary key or by the index of the blocked.

/**
 * No author in these columns has blocked the viewer. A permission: a blocked viewer may not
 * see the thing.
 */
export function isNotBlockedByAuthor(
  viewerId: PersonId,
  authors: readonly string[],
): RawBuilder<SqlBool> {
  return sql<SqlBool>`(not exists (select 1 from blocks
      where blocks.blocked_person_id = ${viewerId}
        and blocks.person_id ${inColumns(authors)})
    and not exists (select 1 from host_blocks
      where host_blocks.host = (${hostOf(viewerId)})
        and host_blocks.person_id ${inColumns(authors)}))`;
}

/** No one blocks the server itself: a person of it is found by none of these blocks. */
const hostOf = (personId: PersonId) => sql`
  select viewed.host from people as viewed where viewed.id = ${personId}`;

/** The same for one column, in a query over very many rows: reads the viewer's blocks once. */
export function isNotBlockedByAuthorAmongMany(
  viewerId: PersonId,
  author: string,
): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${sql.ref(author)} not in (select blocks.person_id
      from blocks where blocks.blocked_person_id = ${viewerId})
    and ${sql.ref(author)} not in (select host_blocks.person_id
      from host_blocks where host_blocks.host = (${hostOf(viewerId)})))`;
}

/**
 * The reader has neither blocked nor ignored an author in these columns. Not a permission:
 * the reader may see the thing, but does not want to.
 */
export function isNotBlockedOrIgnored(
  readerId: PersonId,
  authors: readonly string[],
): RawBuilder<SqlBool> {
  const isAuthor = inColumns(authors);
  return sql<SqlBool>`(not exists (select 1 from blocks
      where blocks.person_id = ${readerId}
        and blocks.blocked_person_id ${isAuthor})
    and not exists (select 1 from ignores
      where ignores.person_id = ${readerId}
        and ignores.ignored_person_id ${isAuthor})
    and ${isNotOnBlockedHost(readerId, authors)})`;
}

/**
 * No author in these columns is on a server that the reader has blocked. Most readers have
 * blocked none, which is found once per query.
 */
export function isNotOnBlockedHost(
  readerId: PersonId,
  authors: readonly string[],
): RawBuilder<SqlBool> {
  return sql<SqlBool>`(not exists (select 1 from host_blocks
      where host_blocks.person_id = ${readerId})
    or not exists (select 1 from people as hosted
      where hosted.id ${inColumns(authors)} and hosted.host in (
        select host_blocks.host from host_blocks
        where host_blocks.person_id = ${readerId})))`;
}

/**
 * The same for one column, in a query over very many rows: reads the reader's blocks and
 * ignores once.
 */
export function isNotBlockedOrIgnoredAmongMany(
  readerId: PersonId,
  author: string,
): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${sql.ref(author)} not in (select blocks.blocked_person_id
      from blocks where blocks.person_id = ${readerId})
    and ${sql.ref(author)} not in (select ignores.ignored_person_id
      from ignores where ignores.person_id = ${readerId})
    and ${isNotOnBlockedHost(readerId, [author])})`;
}

type Pair = { personId: PersonId; otherId: PersonId };

const blocksOf = prepareQuery<Pair, { person_id: PersonId }>((reader, value) =>
  reader
    .selectFrom("blocks")
    .select("person_id")
    .where("person_id", "=", value("personId"))
    .where("blocked_person_id", "=", value("otherId"))
    .compile(),
);

/** Has the person blocked the other one, or its server? */
export async function hasBlocked(
  reader: Reader,
  personId: PersonId,
  otherId: PersonId,
): Promise<boolean> {
  if ((await blocksOf(reader, { personId, otherId })).length > 0) return true;
  return (await listOnBlockedHosts(reader, personId, [otherId])).length > 0;
}

/** The same for a user of this server. */
export async function hasUserBlocked(
  reader: Reader,
  userId: UserId,
  otherId: PersonId,
): Promise<boolean> {
  const self = await reader
    .selectFrom("people")
    .select("id")
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return self !== undefined && hasBlocked(reader, self.id, otherId);
}

/** Has the person blocked or ignored the other one? */
export async function hasBlockedOrIgnored(
  reader: Reader,
  personId: PersonId,
  otherId: PersonId,
): Promise<boolean> {
  if (await hasBlocked(reader, personId, otherId)) return true;
  return (await ignoresOf(reader, { personId, otherId })).length > 0;
}

const ignoresOf = prepareQuery<Pair, { person_id: PersonId }>((reader, value) =>
  reader
    .selectFrom("ignores")
    .select("person_id")
    .where("person_id", "=", value("personId"))
    .where("ignored_person_id", "=", value("otherId"))
    .compile(),
);

const blockersOf = prepareQuery<
  { personId: PersonId },
  { person_id: PersonId }
>((reader, value) =>
  reader
    .selectFrom("blocks")
    .select("person_id")
    .where("blocked_person_id", "=", value("personId"))
    .union(
      reader
        .selectFrom("host_blocks")
        .innerJoin("people", "people.host", "host_blocks.host")
        .select("host_blocks.person_id")
        .where("people.id", "=", value("personId")),
    )
    .compile(),
);

/** The people among these who have blocked the person, or its server. */
export async function listBlockersAmong(
  reader: Reader,
  personId: PersonId,
  ids: readonly PersonId[],
): Promise<Set<PersonId>> {
  if (ids.length === 0) return new Set();
  const rows = await blockersOf(reader, { personId });
  const blockers = new Set(rows.map((row) => row.person_id));
  return new Set(ids.filter((id) => blockers.has(id)));
}

/** The people among these whom the person has blocked, or whose server. */
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
  const blocked = new Set([
    ...rows.map((row) => row.blocked_person_id),
    ...(await listOnBlockedHosts(reader, personId, ids)),
  ]);
  return ids.filter((id) => blocked.has(id));
}

/** The people among these on servers that the person has blocked. */
async function listOnBlockedHosts(
  reader: Reader,
  personId: PersonId,
  ids: readonly PersonId[],
): Promise<PersonId[]> {
  const given = { personId, ids: JSON.stringify(ids) };
  return (await onBlockedHosts(reader, given)).map(({ id }) => id);
}

const onBlockedHosts = prepareQuery<
  { personId: PersonId; ids: string },
  { id: PersonId }
>((reader, value) =>
  reader
    .selectFrom("people")
    .innerJoin("host_blocks", "host_blocks.host", "people.host")
    .select("people.id")
    .where("host_blocks.person_id", "=", value("personId"))
    .where(isListed(reader, "people.id", value("ids")))
    .compile(),
);
