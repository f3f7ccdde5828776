import { sql } from "kysely";
import type { Reader, Tx } from "../../db/db.ts";
import { isListed, prepareQuery } from "../../db/prepared-query.ts";
import type { PersonId, PostId } from "../ids.ts";

/**
 * Notes that a post may have other tags now. One that a local author imported has no place in
 * homes, and gets none: it would come first as something new.
 */
export async function insertUnplaced(tx: Tx, postId: PostId): Promise<void> {
  await sql`insert into unplaced_posts (post_id)
    select posts.id from posts join people on people.id = posts.person_id
    where posts.id = ${postId}
      and (posts.stored_at is null or people.user_id is null)`.execute(tx);
}

/** Takes back the note of a new post, so that it never gets a place. */
export async function deleteUnplacedOf(tx: Tx, postId: PostId): Promise<void> {
  await tx.deleteFrom("unplaced_posts").where("post_id", "=", postId).execute();
}

/** Notes that a limited post reached more of its recipients. */
export async function insertUnplacedFor(
  tx: Tx,
  postId: PostId,
  people: readonly PersonId[],
): Promise<void> {
  await sql`insert into unplaced_posts (post_id, reader_id)
    select post_id, person_id from post_recipients
    where post_id = ${postId}
      and ${isListed(tx, "person_id", JSON.stringify(people))}
    order by person_id`.execute(tx);
}

const ANY = prepareQuery<Record<never, never>, { id: number }>((reader) =>
  reader.selectFrom("unplaced_posts").select("id").limit(1).compile(),
);

/** Does any post wait for a place? */
export async function hasUnplaced(reader: Reader): Promise<boolean> {
  return (await ANY(reader, {})).length > 0;
}

/** The first posts that wait for a place, by the ids of their notes. */
export async function listUnplaced(tx: Tx, limit: number): Promise<number[]> {
  const rows = await tx
    .selectFrom("unplaced_posts")
    .select("id")
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Gives the noted posts and their tags places, in the order of the notes. What has a place
 * keeps it. PostgreSQL finds out by the post: by `=` it may look among all posts with the tag.
 */
export async function insertArrivals(
  tx: Tx,
  unplaced: readonly number[],
): Promise<void> {
  const ids = JSON.stringify(unplaced);
  await sql`insert into post_arrivals
      (post_id, root_id, author_id, tag, reader_id)
    select post_id, root_id, author_id, tag, reader_id from (
      select noted.id as place, posts.id as post_id,
        coalesce(noted.root_id, posts.id) as root_id,
        posts.person_id as author_id, null as tag, noted.reader_id
      from unplaced_posts as noted join posts on posts.id = noted.post_id
      where ${isListed(tx, "noted.id", ids)} and posts.participants is null
        and not exists (select 1 from post_arrivals as present
          where present.post_id = noted.post_id and present.tag is null
            and present.reader_id is not distinct from noted.reader_id)
      union all
      select noted.id, noted.post_id, noted.post_id, null, post_tags.tag,
        noted.reader_id
      from unplaced_posts as noted
      join posts on posts.id = noted.post_id
      join post_tags on post_tags.post_id = noted.post_id
      where ${isListed(tx, "noted.id", ids)} and posts.participants is null
        and not exists (select 1 from post_arrivals as present
          where present.post_id = noted.post_id
            and present.tag is not distinct from post_tags.tag
            and present.reader_id is not distinct from noted.reader_id)
    ) as arrived
    group by post_id, root_id, author_id, tag, reader_id
    order by min(place), tag`.execute(tx);
}

export async function deleteUnplaced(
  tx: Tx,
  ids: readonly number[],
): Promise<void> {
  await sql`delete from unplaced_posts
    where ${isListed(tx, "unplaced_posts.id", JSON.stringify(ids))}`.execute(
    tx,
  );
}
