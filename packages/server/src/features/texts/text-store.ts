import { sql, type ExpressionBuilder } from "kysely";
import type { Tx } from "../../db/db.ts";
import { textsIn } from "../../db/dialect.ts";
import { dialectOf, prepareQuery } from "../../db/prepared-query.ts";
import type { Database } from "../../db/schema/schema.ts";
import type { CommentId, PersonId, PostId } from "../ids.ts";
import type { TextPlace } from "./text-place.ts";

const insertEach = prepareQuery<{ tags: string; postId: PostId }, never>(
  (reader, value) =>
    sql<never>`insert into post_tags (tag, post_id)
      select value, ${value("postId")}
      from ${textsIn(dialectOf(reader), value("tags"))} where true
      on conflict do nothing`.compile(reader),
  { types: { tags: "text", postId: "bigint" } },
);

export async function insertTags(
  tx: Tx,
  postId: PostId,
  tags: readonly string[],
): Promise<void> {
  if (tags.length === 0) return;
  await insertEach(tx, { tags: JSON.stringify(tags), postId });
}

const insertEachMention = prepareQuery<
  { people: string; postId: PostId; commentId: CommentId | null },
  never
>(
  (reader, value) =>
    sql<never>`insert into text_mentions (post_id, comment_id, person_id)
    select ${value("postId")}, ${value("commentId")}, cast(value as bigint)
    from ${textsIn(dialectOf(reader), value("people"))} where true
    on conflict do nothing`.compile(reader),
  { types: { people: "text", postId: "bigint", commentId: "bigint" } },
);

export async function insertMentions(
  tx: Tx,
  { postId, commentId }: TextPlace,
  people: readonly PersonId[],
): Promise<void> {
  if (people.length === 0) return;
  const list = JSON.stringify(people);
  await insertEachMention(tx, { people: list, postId, commentId });
}

/** Deletes the tags of a post, to extract them anew. A comment has none. */
export async function deleteTags(
  tx: Tx,
  { postId, commentId }: TextPlace,
): Promise<void> {
  if (commentId !== null) return;
  await tx.deleteFrom("post_tags").where("post_id", "=", postId).execute();
}

/** Deletes the mentions in a post or comment, to extract them anew. */
export async function deleteMentions(tx: Tx, place: TextPlace): Promise<void> {
  await tx.deleteFrom("text_mentions").where(isAt(place)).execute();
}

/** Mentions removed by edits that one text keeps. */
const MAX_FORMER = 1000;

/**
 * Replaces the mentions in a local text. Those left out are kept as former ones: these
 * people have the text, so its later edits and its retraction must reach them.
 */
export async function replaceMentions(
  tx: Tx,
  place: TextPlace,
  people: ReadonlySet<PersonId>,
): Promise<void> {
  await tx
    .updateTable("text_mentions")
    .set({ former: true })
    .where(isAt(place))
    .execute();
  if (people.size > 0)
    await tx
      .updateTable("text_mentions")
      .set({ former: false })
      .where(isAt(place))
      .where("person_id", "in", [...people])
      .execute();
  await insertMentions(tx, place, [...people]);
  await tx
    .deleteFrom("text_mentions")
    .where(isAt(place))
    .where("former", "=", true)
    .where("person_id", "in", (eb) =>
      eb
        .selectFrom("text_mentions as surplus")
        .select("surplus.person_id")
        .where("surplus.former", "=", true)
        .where("surplus.post_id", "=", place.postId)
        .where(
          "surplus.comment_id",
          place.commentId === null ? "is" : "=",
          place.commentId,
        )
        .orderBy("surplus.person_id", "desc")
        .offset(MAX_FORMER)
        // SQLite takes an offset with a limit alone.
        .limit(MAX_FORMER),
    )
    .execute();
}

function isAt({ postId, commentId }: TextPlace) {
  return (eb: ExpressionBuilder<Database, "text_mentions">) =>
    eb.and([
      eb("text_mentions.post_id", "=", postId),
      eb(
        "text_mentions.comment_id",
        commentId === null ? "is" : "=",
        commentId,
      ),
    ]);
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
