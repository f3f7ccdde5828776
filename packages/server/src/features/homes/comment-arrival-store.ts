import { sql } from "kysely";
import type { DialectName, Tx } from "../../db/db.ts";
import { lastIdentity } from "../../db/dialect.ts";
import { isListed, prepareQuery } from "../../db/prepared-query.ts";
import type { CommentId } from "../ids.ts";

/**
 * A home with replies has the keys of posts times this; comments have those in between, behind
 * the last post that came before them. The product stays below 2^53 for 8 billion posts.
 */
export const KEYS_PER_POST = 2 ** 20;

/** Takes back the note of a new comment, so that it never gets a place. */
export async function deleteUnplacedComment(
  tx: Tx,
  commentId: CommentId,
): Promise<void> {
  await tx
    .deleteFrom("unplaced_comments")
    .where("comment_id", "=", commentId)
    .execute();
}

/** Does any comment wait for a place? */
export const findUnplacedComment = prepareQuery<
  Record<never, never>,
  { id: number }
>((reader) =>
  reader.selectFrom("unplaced_comments").select("id").limit(1).compile(),
);

/** The first comments that wait for a place, by the ids of their notes. */
export async function listUnplacedComments(
  tx: Tx,
  limit: number,
): Promise<number[]> {
  const rows = await tx
    .selectFrom("unplaced_comments")
    .select("id")
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Gives the noted comments places behind everything that ever had one, also behind what is
 * deleted by now: a reader may go on from there.
 */
export async function insertCommentArrivals(
  tx: Tx,
  dialect: DialectName,
  unplaced: readonly number[],
): Promise<void> {
  const lastOfPosts = lastIdentity(dialect, "post_arrivals", "position");
  await sql`insert into comment_arrivals (position, comment_id, author_id)
    select (case when ever.position > ever.of_posts
        then ever.position else ever.of_posts end)
        + row_number() over (order by noted.id),
      comments.id, comments.person_id
    from unplaced_comments as noted
    join comments on comments.id = noted.comment_id
    cross join (select last_comment_arrival.position,
        ${lastOfPosts} * ${sql.lit(KEYS_PER_POST)} as of_posts
      from last_comment_arrival) as ever
    where ${isListed(tx, "noted.id", JSON.stringify(unplaced))}`.execute(tx);
  await sql`update last_comment_arrival set position = (
      select max(comment_arrivals.position) from comment_arrivals)
    where position < (
      select max(comment_arrivals.position) from comment_arrivals)`.execute(tx);
}

export async function deleteUnplacedComments(
  tx: Tx,
  ids: readonly number[],
): Promise<void> {
  await sql`delete from unplaced_comments
    where ${isListed(tx, "unplaced_comments.id", JSON.stringify(ids))}`.execute(
    tx,
  );
}
