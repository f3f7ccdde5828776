import { sql } from "kysely";
import type { Reader, Tx } from "../../db/db.ts";
import type { EventId, PersonId, PostId } from "../ids.ts";

/** The rest of the indexing: all posts, all people, or the posts of `author:<id>`. */
export type Fill = {
  readonly name: string;
  /** Everything from this id on is indexed. */
  readonly below_id: number;
  readonly done: number;
  readonly total: number;
};

export async function listFills(reader: Reader): Promise<Fill[]> {
  const { rows } = await sql<Fill>`select name, below_id, done, total
    from search_fills order by name`.execute(reader);
  return rows;
}

/** Posts of everyone, or of one person, below an id, newest first. */
export async function listPostsBelow(
  reader: Reader,
  below: number,
  by: number | null,
  limit: number,
): Promise<PostId[]> {
  const { rows } = await sql<{ id: PostId }>`select id from posts
    where id < ${below} ${by === null ? sql`` : sql`and person_id = ${by}`}
    order by id desc limit ${limit}`.execute(reader);
  return rows.map(({ id }) => id);
}

export async function hasPosts(reader: Reader, by: PersonId): Promise<boolean> {
  return (
    (await listPostsBelow(reader, Number.MAX_SAFE_INTEGER, by, 1)).length > 0
  );
}

/** More posts with one event keep its former title until they change themselves. */
const MAX_POSTS_WITH_EVENT = 100;

export async function listIdsWithEvent(
  reader: Reader,
  eventId: EventId,
): Promise<PostId[]> {
  const { rows } = await sql<{ id: PostId }>`select id from posts
    where event_id = ${eventId} order by id
    limit ${MAX_POSTS_WITH_EVENT}`.execute(reader);
  return rows.map(({ id }) => id);
}

export async function listPeopleBelow(
  reader: Reader,
  below: number,
  limit: number,
): Promise<PersonId[]> {
  const { rows } = await sql<{ id: PersonId }>`select id from people
    where id < ${below} order by id desc limit ${limit}`.execute(reader);
  return rows.map(({ id }) => id);
}

/** @param belowId null once everything is indexed */
export async function updateFill(
  tx: Tx,
  { name, done }: Fill,
  belowId: number | null,
  count: number,
): Promise<void> {
  await (
    belowId === null
      ? sql`delete from search_fills where name = ${name}`
      : sql`update search_fills set below_id = ${belowId}, done = ${done + count}
        where name = ${name}`
  ).execute(tx);
}

/** Begins to index the posts of a person anew, also where that has begun already. */
export async function insertAuthorFill(
  tx: Tx,
  personId: PersonId,
): Promise<void> {
  const all = Number.MAX_SAFE_INTEGER;
  await sql`insert into search_fills (name, below_id, done, total)
    values (${`author:${personId}`}, ${all}, 0, 0)
    on conflict (name) do update set below_id = ${all}, done = 0`.execute(tx);
}
