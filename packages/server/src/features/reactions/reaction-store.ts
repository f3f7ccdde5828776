import type { Reader, Tx } from "../../db/db.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import { isNotSuspended } from "../visibility/index.ts";
import type { CommentId, PersonId, PostId } from "../ids.ts";

/** A remote person's emoji reaction to a post or comment. A person may give several. */
export type Reaction = {
  /** ActivityPub id, by which it is retracted. */
  readonly uri: string;
  readonly postId: PostId;
  readonly commentId: CommentId | null;
  readonly personId: PersonId;
  /** One emoji, or `:name:`. */
  readonly emoji: string;
  /** The image of a `:name:`. */
  readonly emojiUrl: string | null;
};

/** Idempotent: a known reaction is left unchanged. */
export async function insertReaction(
  tx: Tx,
  reaction: Reaction,
  now: Timestamp,
): Promise<void> {
  await tx
    .insertInto("reactions")
    .values({
      uri: reaction.uri,
      post_id: reaction.postId,
      comment_id: reaction.commentId,
      person_id: reaction.personId,
      emoji: reaction.emoji,
      emoji_url: reaction.emojiUrl,
      created_at: now,
    })
    .onConflict((conflict) => conflict.column("uri").doNothing())
    .execute();
}

export async function hasReaction(
  reader: Reader,
  uri: string,
  personId: PersonId,
): Promise<boolean> {
  const found = await reader
    .selectFrom("reactions")
    .select("uri")
    .where("uri", "=", uri)
    .where("person_id", "=", personId)
    .executeTakeFirst();
  return found !== undefined;
}

/** The number of reactions of one person to a post and its comments. */
export async function countReactionsOf(
  reader: Reader,
  personId: PersonId,
  postId: PostId,
): Promise<number> {
  const { count } = await reader
    .selectFrom("reactions")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("post_id", "=", postId)
    .where("person_id", "=", personId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The reactions to a post or comment, oldest first. */
export async function listReactions(
  reader: Reader,
  { postId, commentId }: Pick<Reaction, "postId" | "commentId">,
  limit: number,
): Promise<Reaction[]> {
  const rows = await reader
    .selectFrom("reactions")
    .selectAll()
    .where("post_id", "=", postId)
    .where(isNotSuspended(["reactions.person_id"]))
    .where((eb) =>
      commentId === null
        ? eb("comment_id", "is", null)
        : eb("comment_id", "=", commentId),
    )
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    uri: row.uri,
    postId: row.post_id,
    commentId: row.comment_id,
    personId: row.person_id,
    emoji: row.emoji,
    emojiUrl: row.emoji_url,
  }));
}

/** @returns false if this person has no reaction with that id */
export async function deleteReaction(
  tx: Tx,
  uri: string,
  personId: PersonId,
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("reactions")
    .where("uri", "=", uri)
    .where("person_id", "=", personId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Deletes reactions of a deleted person. @returns how many */
export async function deleteSomeReactionsOf(
  tx: Tx,
  personId: PersonId,
  limit: number,
): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom("reactions")
    .where("id", "in", (eb) =>
      eb
        .selectFrom("reactions as own")
        .select("own.id")
        .where("own.person_id", "=", personId)
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
