import type { Reader, Tx } from "../../db/db.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { UserId, UserStreamId } from "../ids.ts";
import { fetchPage, type Page } from "../page.ts";
import type { NewUserStream, UserStream } from "./user-stream.ts";

export async function insertStream(
  tx: Tx,
  userId: UserId,
  stream: NewUserStream,
  now: Timestamp,
): Promise<UserStream> {
  const { name, tags, people, expression } = stream;
  const row = await tx
    .insertInto("user_streams")
    .values({
      user_id: userId,
      ...{ name, tags, people, expression },
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return toStream(row);
}

/** @returns false if the user has no such stream */
export async function deleteStream(
  tx: Tx,
  userId: UserId,
  id: UserStreamId,
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("user_streams")
    .where("user_id", "=", userId)
    .where("id", "=", id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function findStream(
  reader: Reader,
  userId: UserId,
  id: UserStreamId,
): Promise<UserStream | undefined> {
  const row = await reader
    .selectFrom("user_streams")
    .selectAll()
    .where("user_id", "=", userId)
    .where("id", "=", id)
    .executeTakeFirst();
  return row && toStream(row);
}

/** One page of a user's streams, newest first. */
export async function listStreams(
  reader: Reader,
  userId: UserId,
  page: Page,
): Promise<UserStream[]> {
  const query = reader
    .selectFrom("user_streams")
    .selectAll()
    .where("user_id", "=", userId);
  const rows = await fetchPage(query, "user_streams.id", page);
  return rows.map(toStream);
}

export async function countStreams(
  reader: Reader,
  userId: UserId,
): Promise<number> {
  const row = await reader
    .selectFrom("user_streams")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

function toStream(row: {
  id: UserStreamId;
  user_id: UserId;
  name: string;
  tags: string;
  people: string;
  expression: string;
  created_at: string;
  updated_at: string;
}): UserStream {
  return {
    id: row.id,
    userId: row.user_id,
    name: row.name,
    tags: row.tags,
    people: row.people,
    expression: row.expression,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** Deletes streams of a deleted person. @returns how many */
export async function deleteSomeStreamsOf(
  tx: Tx,
  userId: UserId,
  limit: number,
): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom("user_streams")
    .where("id", "in", (eb) =>
      eb
        .selectFrom("user_streams as own")
        .select("own.id")
        .where("own.user_id", "=", userId)
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
