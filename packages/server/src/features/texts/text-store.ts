import { sql } from "kysely";
import type { Tx } from "../../db/db.ts";
import { textsIn } from "../../db/dialect.ts";
import { dialectOf, prepareQuery } from "../../db/prepared-query.ts";
import type { PersonId, PostId } from "../ids.ts";
import type { TextPlace } from "./text-place.ts";

const insertEach = prepareQuery<{ tags: string; postId: PostId }, never>(
  (reader, value) =>
    sql<never>`insert into post_tags (tag, post_id)
      select value, ${value("postId")}
      from ${textsIn(dialectOf(reader), value("tags"))} where true
      on conflict do nothing`.compile(reader),
);

export async function insertTags(
  tx: Tx,
  postId: PostId,
  tags: readonly string[],
): Promise<void> {
  if (tags.length === 0) return;
  await insertEach(tx, { tags: JSON.stringify(tags), postId });
}

export async function insertMentions(
  tx: Tx,
  { postId, commentId }: TextPlace,
  people: ReadonlySet<PersonId>,
): Promise<void> {
  if (people.size === 0) return;
  await tx
    .insertInto("text_mentions")
    .values(
      [...people].map((personId) => ({
        post_id: postId,
        comment_id: commentId,
        person_id: personId,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * Deletes the tags and mentions of a post, or the mentions of a comment, to extract them
 * anew.
 */
export async function deleteFound(
  tx: Tx,
  { postId, commentId }: TextPlace,
): Promise<void> {
  const mentions = tx.deleteFrom("text_mentions").where("post_id", "=", postId);
  if (commentId !== null) {
    await mentions.where("comment_id", "=", commentId).execute();
    return;
  }
  await mentions.where("comment_id", "is", null).execute();
  await tx.deleteFrom("post_tags").where("post_id", "=", postId).execute();
}

/** Deletes mentions of a deleted person; the texts stay as they are. @returns how many */
export async function deleteSomeMentionsOf(
  tx: Tx,
  personId: PersonId,
  limit: number,
): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom("text_mentions")
    .where("person_id", "=", personId)
    .where("post_id", "in", (eb) =>
      eb
        .selectFrom("text_mentions as own")
        .select("own.post_id")
        .where("own.person_id", "=", personId)
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
