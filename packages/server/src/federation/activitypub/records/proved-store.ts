import { parseJson, type JsonObject } from "@kith/activitypub";
import type { Reader, Tx } from "../../../db/db.ts";
import type {
  CommentId,
  LikeId,
  ParticipationId,
  PostId,
} from "../../../features/ids.ts";
import type { Page } from "../../../features/page.ts";

/**
 * The object that a signed activity created: below a limited post one with a proof, and the
 * answer of a guest whom the organizer of an event has not confirmed yet.
 */
export type ProvedOf =
  | { readonly commentId: CommentId }
  | { readonly likeId: LikeId }
  | { readonly participationId: ParticipationId };

type Column = "comment_id" | "like_id" | "participation_id";

function columnOf(
  of: ProvedOf,
): readonly [column: Column, value: CommentId | LikeId | ParticipationId] {
  if ("commentId" in of) return ["comment_id", of.commentId];
  return "likeId" in of
    ? ["like_id", of.likeId]
    : ["participation_id", of.participationId];
}

/**
 * Stores an activity as its author signed it, in place of an earlier one about
 * the same object. It is deleted with the object.
 */
export async function saveProved(
  tx: Tx,
  postId: PostId,
  of: ProvedOf,
  document: string,
): Promise<void> {
  const [column, value] = columnOf(of);
  await tx
    .insertInto("proved_documents")
    .values({ post_id: postId, [column]: value, document })
    .onConflict((conflict) => conflict.column(column).doUpdateSet({ document }))
    .execute();
}

/** Deletes the signed activity of an object that still exists. */
export async function deleteProved(tx: Tx, of: ProvedOf): Promise<void> {
  const [column, value] = columnOf(of);
  await tx.deleteFrom("proved_documents").where(column, "=", value).execute();
}

export async function findProved(
  reader: Reader,
  of: ProvedOf,
): Promise<string | undefined> {
  const [column, value] = columnOf(of);
  const row = await reader
    .selectFrom("proved_documents")
    .select("document")
    .where(column, "=", value)
    .executeTakeFirst();
  return row?.document;
}

/** Signed activities below a post, newest first. */
export async function listProved(
  reader: Reader,
  postId: PostId,
  limit: number,
): Promise<string[]> {
  const rows = await reader
    .selectFrom("proved_documents")
    .select("document")
    .where("post_id", "=", postId)
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  return rows.map(({ document }) => document);
}

/** The number of signed likes and event answers below a post. */
export async function countProvedReactions(
  reader: Reader,
  postId: PostId,
): Promise<number> {
  const { count } = await selectReactions(reader, postId)
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** One page of them, as they were signed. */
export async function listProvedReactions(
  reader: Reader,
  postId: PostId,
  page: Page,
): Promise<JsonObject[]> {
  const rows = await selectReactions(reader, postId)
    .select("document")
    .orderBy("proved.id")
    .offset(page.offset)
    .limit(page.limit)
    .execute();
  return rows.map(({ document }) => parseProved(document));
}

/** Until its organizer confirms a guest, no other member of a limited event learns of it. */
function selectReactions(reader: Reader, postId: PostId) {
  return reader
    .selectFrom("proved_documents as proved")
    .leftJoin(
      "participations as answer",
      "answer.id",
      "proved.participation_id",
    )
    .where("proved.post_id", "=", postId)
    .where("proved.comment_id", "is", null)
    .where((eb) =>
      eb.or([
        eb("answer.reply", "is", null),
        eb("answer.reply", "not in", ["pending", "refused"]),
      ]),
    );
}

export function parseProved(document: string): JsonObject {
  return parseJson(Buffer.from(document));
}
