import { sql, type RawBuilder, type SqlBool } from "kysely";
import type { Reader, Tx } from "../../db/db.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { PersonId, PhotoId } from "../ids.ts";

/** The announcement of a move. */
export type MoveDocument = {
  /** The signed text, in the format of its protocol. */
  readonly text: string;
  /** Was it announced publicly? */
  readonly public: boolean;
};

export async function insertMoveDocument(
  tx: Tx,
  personId: PersonId,
  document: MoveDocument,
  now: Timestamp,
): Promise<void> {
  await tx
    .insertInto("move_documents")
    .values({
      person_id: personId,
      document: document.text,
      public: document.public,
      created_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function findMoveDocument(
  reader: Reader,
  personId: PersonId,
): Promise<MoveDocument | undefined> {
  const row = await reader
    .selectFrom("move_documents")
    .select(["document", "public"])
    .where("person_id", "=", personId)
    .executeTakeFirst();
  return row && { text: row.document, public: Boolean(row.public) };
}

export async function deleteMoveDocument(
  tx: Tx,
  personId: PersonId,
): Promise<void> {
  await tx
    .deleteFrom("move_documents")
    .where("person_id", "=", personId)
    .execute();
}

/** A column that names the owner of a row, and the uniqueness that applies to it. */
type OwnedTable = {
  readonly table: string;
  readonly column?: string;
  /** The columns that tell the rows of one person apart. */
  readonly key: readonly string[];
  /** A person has at most one row for each combination of these columns. */
  readonly once?: readonly string[];
  readonly only?: string;
};

/**
 * All columns that a move reassigns to the new person. Kept in one list rather than in each
 * feature's store, because no feature acts on them: a test compares it with the schema.
 */
export const OWNED_TABLES: readonly OwnedTable[] = [
  { table: "posts", key: ["id"], once: ["root_guid"] },
  { table: "posts", column: "root_person_id", key: ["id"] },
  { table: "post_arrivals", column: "author_id", key: ["position"] },
  { table: "comment_arrivals", column: "author_id", key: ["position"] },
  { table: "post_recipients", key: ["post_id"], once: ["post_id"] },
  { table: "post_subscribers", key: ["post_id"], once: ["post_id"] },
  { table: "comments", key: ["id"] },
  { table: "held_texts", key: ["id"] },
  {
    table: "likes",
    key: ["id"],
    once: ["shareable_type", "shareable_id"],
  },
  { table: "reactions", key: ["id"] },
  { table: "poll_votes", key: ["id"], once: ["poll_id"] },
  {
    table: "text_mentions",
    key: ["post_id"],
    once: ["post_id"],
    only: "comment_id is null",
  },
  {
    table: "text_mentions",
    key: ["comment_id"],
    once: ["comment_id"],
    only: "comment_id is not null",
  },
  { table: "photos", key: ["id"] },
  { table: "events", key: ["id"] },
  { table: "event_recipients", key: ["event_id"], once: ["event_id"] },
  { table: "participations", key: ["id"], once: ["event_id"] },
  { table: "tombstones", key: ["kind", "guid"], once: ["kind", "guid"] },
  {
    table: "notifications",
    key: ["id"],
    once: ["user_id", "reason", "shareable_guid"],
  },
];

const refs = (columns: readonly string[]): RawBuilder<unknown> =>
  sql.join(columns.map((column) => sql.ref(column)));

/**
 * Reassigns some rows of one table to another person, except those that would duplicate one
 * of the other person's.
 * @returns how many were reassigned
 */
export async function reassignSome(
  tx: Tx,
  belonging: OwnedTable,
  from: PersonId,
  to: PersonId,
  limit: number,
): Promise<number> {
  const { table, column = "person_id", key, once, only } = belonging;
  const ours = sql.ref(column);
  const kept = only === undefined ? sql<SqlBool>`1 = 1` : sql.raw(only);
  const free =
    once === undefined ? sql<SqlBool>`1 = 1` : sql`not exists (${other(once)})`;
  function other(columns: readonly string[]): RawBuilder<unknown> {
    const equal = columns.map(
      (name) => sql`theirs.${sql.ref(name)} = own.${sql.ref(name)}`,
    );
    return sql`select 1 from ${sql.table(table)} as theirs
      where theirs.${ours} = ${to} and ${sql.join(equal, sql` and `)}`;
  }
  const { numAffectedRows = 0n } = await sql`update ${sql.table(table)}
    set ${ours} = ${to}
    where ${ours} = ${from} and ${kept} and (${refs(key)}) in (
      select ${refs(key)} from ${sql.table(table)} as own
      where own.${ours} = ${from} and ${kept} and ${free}
      limit ${limit})`.execute(tx);
  return Number(numAffectedRows);
}

/**
 * Removes a moved person's events from local calendars, which a remote person does not
 * have.
 */
export async function takeOutOfCalendars(
  tx: Tx,
  personId: PersonId,
): Promise<void> {
  await tx
    .updateTable("events")
    .set({ calendar_id: null })
    .where("person_id", "=", personId)
    .where("calendar_id", "is not", null)
    .execute();
}

type PhotoRow = { id: PhotoId; url: string; thumbnail: string | null };

/** Remote photos whose URL is not below `path` yet. */
export async function listPhotosOutside(
  reader: Reader,
  personId: PersonId,
  path: string,
  limit: number,
): Promise<PhotoRow[]> {
  const rows = await reader
    .selectFrom("photos")
    .select(["id", "remote_url", "remote_thumbnail_url"])
    .where("person_id", "=", personId)
    .where("remote_url", "is not", null)
    .where(sql<SqlBool>`substr(remote_url, 1, ${[...path].length}) <> ${path}`)
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    url: row.remote_url ?? "",
    thumbnail: row.remote_thumbnail_url,
  }));
}

export async function updatePhotoUrls(tx: Tx, photo: PhotoRow): Promise<void> {
  await tx
    .updateTable("photos")
    .set({ remote_url: photo.url, remote_thumbnail_url: photo.thumbnail })
    .where("id", "=", photo.id)
    .execute();
}
