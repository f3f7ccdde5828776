import type { Expression, ExpressionBuilder, SqlBool } from "kysely";
import type { Reader, Tx } from "../../db/db.ts";
import type { Database } from "../../db/schema.ts";
import type { Timestamp } from "../../lib/clock.ts";
import type { CommentId, PersonId, PostId } from "../ids.ts";
import type { Page } from "../page.ts";
import { insertWithTimeId, timeIdRange } from "../time-id.ts";

/** A comment belongs to a post, and is seen by those who may see the post. */
export type Comment = {
  readonly id: CommentId;
  readonly guid: string;
  readonly postId: PostId;
  readonly personId: PersonId;
  /** Markdown. */
  readonly text: string;
  /** The comment that it answers; null where it answers the post. */
  readonly parentGuid: string | null;
  /** ActivityPub id of a comment from elsewhere. */
  readonly uri: string | null;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
};

export type NewComment = Omit<Comment, "id" | "updatedAt">;

export type CommentKey =
  | { readonly id: CommentId }
  | { readonly guid: string }
  | { readonly uri: string };

/** The caller has made sure that the Guid is free. */
export async function insertComment(
  tx: Tx,
  comment: NewComment,
  now: Date,
): Promise<CommentId> {
  const createdAt = new Date(comment.createdAt);
  const start = timeIdRange("comment", createdAt, comment.guid, now);
  const id = await insertWithTimeId(
    "comment",
    start,
    async (range) => {
      const row = await tx
        .selectFrom("comments")
        .select((eb) => eb.fn.max("id").as("newest"))
        .where("id", ">=", range.first)
        .where("id", "<", range.end)
        .executeTakeFirst();
      return row?.newest ?? null;
    },
    async (candidate) => {
      const row = await tx
        .insertInto("comments")
        .values({
          id: candidate,
          guid: comment.guid,
          post_id: comment.postId,
          person_id: comment.personId,
          text: comment.text,
          parent_guid: comment.parentGuid,
          uri: comment.uri,
          created_at: comment.createdAt,
          updated_at: now.toISOString(),
        })
        .onConflict((conflict) => conflict.column("id").doNothing())
        .returning("id")
        .executeTakeFirst();
      return row !== undefined;
    },
  );
  return id as CommentId;
}

/** @returns false where somebody else deleted it meanwhile */
export async function deleteComment(tx: Tx, id: CommentId): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("comments")
    .where("id", "=", id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function findComment(
  reader: Reader,
  key: CommentKey,
): Promise<Comment | undefined> {
  const query = reader.selectFrom("comments").selectAll();
  const row = await (
    "id" in key
      ? query.where("id", "=", key.id)
      : "guid" in key
        ? query.where("guid", "=", key.guid)
        : query.where("uri", "=", key.uri)
  ).executeTakeFirst();
  return row && toComment(row);
}

/** The Guids of the likes of a comment. */
export async function listLikeGuids(
  reader: Reader,
  id: CommentId,
): Promise<string[]> {
  const rows = await reader
    .selectFrom("likes")
    .select("guid")
    .where("comment_id", "=", id)
    .execute();
  return rows.map(({ guid }) => guid);
}

/** Nobody reads what people write whom it has blocked or ignores. */
function isReadBy(readerId: PersonId | null) {
  return (eb: ExpressionBuilder<Database, "comments">): Expression<SqlBool> => {
    if (readerId === null) return eb.lit(true);
    const blocked = eb
      .selectFrom("blocks")
      .select("blocks.blocked_person_id")
      .whereRef("blocks.blocked_person_id", "=", "comments.person_id")
      .where("blocks.person_id", "=", readerId);
    const ignored = eb
      .selectFrom("ignores")
      .select("ignores.ignored_person_id")
      .whereRef("ignores.ignored_person_id", "=", "comments.person_id")
      .where("ignores.person_id", "=", readerId);
    return eb.not(eb.or([eb.exists(blocked), eb.exists(ignored)]));
  };
}

/** One page of the comments of a post, oldest first. */
export async function listComments(
  reader: Reader,
  postId: PostId,
  page: Page,
  readerId: PersonId | null,
): Promise<Comment[]> {
  const rows = await reader
    .selectFrom("comments")
    .selectAll()
    .where("post_id", "=", postId)
    .where(isReadBy(readerId))
    .orderBy("id")
    .offset(page.offset)
    .limit(page.limit)
    .execute();
  return rows.map(toComment);
}

/** The newest comments of each of these posts, oldest first. */
export async function listNewestComments(
  reader: Reader,
  postIds: readonly PostId[],
  perPost: number,
  readerId: PersonId | null,
): Promise<Comment[]> {
  if (postIds.length === 0) return [];
  const rows = await reader
    .selectFrom((eb) =>
      eb
        .selectFrom("comments")
        .selectAll()
        .select((inner) =>
          inner.fn
            .agg<number>("row_number")
            .over((over) => over.partitionBy("post_id").orderBy("id", "desc"))
            .as("position"),
        )
        .where("post_id", "in", postIds)
        .where(isReadBy(readerId))
        .as("numbered"),
    )
    .selectAll()
    .where("position", "<=", perPost)
    .orderBy("id")
    .execute();
  return rows.map(toComment);
}

export async function countComments(
  reader: Reader,
  postIds: readonly PostId[],
): Promise<Map<PostId, number>> {
  if (postIds.length === 0) return new Map();
  const rows = await reader
    .selectFrom("comments")
    .select(["post_id", (eb) => eb.fn.countAll<number>().as("count")])
    .where("post_id", "in", postIds)
    .groupBy("post_id")
    .execute();
  return new Map(rows.map((row) => [row.post_id as PostId, Number(row.count)]));
}

export async function countLocalComments(reader: Reader): Promise<number> {
  const row = await reader
    .selectFrom("comments")
    .innerJoin("people", "people.id", "comments.person_id")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("people.user_id", "is not", null)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

function toComment(row: {
  id: number;
  guid: string;
  post_id: number;
  person_id: number;
  text: string;
  parent_guid: string | null;
  uri: string | null;
  created_at: string;
  updated_at: string;
}): Comment {
  return {
    id: row.id as CommentId,
    guid: row.guid,
    postId: row.post_id as PostId,
    personId: row.person_id as PersonId,
    text: row.text,
    parentGuid: row.parent_guid,
    uri: row.uri,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** @returns how many went */
export async function deleteSomeCommentsOf(
  tx: Tx,
  personId: PersonId,
  limit: number,
): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom("comments")
    .where("id", "in", (eb) =>
      eb
        .selectFrom("comments as own")
        .select("own.id")
        .where("own.person_id", "=", personId)
        .orderBy("own.id")
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
