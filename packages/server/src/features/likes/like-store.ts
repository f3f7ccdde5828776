import type { Reader, Tx } from "../../db/db.ts";
import {
  isListed,
  isListedText,
  prepareQuery,
} from "../../db/prepared-query.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import {
  isNotSuspended,
  isNotSuspendedAmongMany,
  isPostVisibleTo,
  type Viewer,
} from "../visibility/index.ts";
import type { CommentId, LikeId, PersonId, PostId } from "../ids.ts";
import { columnOf, type Key } from "../key.ts";
import { fetchPage, type Page } from "../page.ts";

/** A like of a post or of a comment; `positive: false` is a dislike. One per person and target. */
export type Like = {
  readonly id: LikeId;
  readonly guid: string;
  readonly postId: PostId;
  /** The liked comment; null if the target is the post itself. */
  readonly commentId: CommentId | null;
  readonly personId: PersonId;
  readonly positive: boolean;
  /** ActivityPub id of a remote Like. */
  readonly uri: string | null;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
};

/** The target of a like: a post, or a comment on it. */
export type LikeTarget = {
  readonly postId: PostId;
  readonly commentId: CommentId | null;
};

export type NewLike = Omit<Like, "id" | "createdAt" | "updatedAt">;

/** @returns undefined if the person has already liked it, or the Guid is taken */
export async function insertLike(
  tx: Tx,
  like: NewLike,
  now: Timestamp,
): Promise<LikeId | undefined> {
  const row = await tx
    .insertInto("likes")
    .values({
      guid: like.guid,
      shareable_type: like.commentId === null ? "Post" : "Comment",
      shareable_id: like.commentId ?? like.postId,
      post_id: like.postId,
      comment_id: like.commentId,
      person_id: like.personId,
      positive: like.positive,
      uri: like.uri,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  return row?.id;
}

/** @returns false if it was already deleted concurrently */
export async function deleteLike(tx: Tx, id: LikeId): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("likes")
    .where("id", "=", id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export type LikeKey = Key<LikeId>;

export async function findLike(
  reader: Reader,
  key: LikeKey,
): Promise<Like | undefined> {
  const [column, value] = columnOf(key);
  const row = await reader
    .selectFrom("likes")
    .selectAll()
    .where(column, "=", value)
    .executeTakeFirst();
  return row && toLike(row);
}

export async function findLikeOf(
  reader: Reader,
  target: LikeTarget,
  personId: PersonId,
): Promise<Like | undefined> {
  const row = await byTarget(reader, target)
    .where("person_id", "=", personId)
    .executeTakeFirst();
  return row && toLike(row);
}

/** Lists one page of the likes of a post or comment, newest first. */
export async function listLikes(
  reader: Reader,
  target: LikeTarget,
  page: Page,
): Promise<Like[]> {
  const shown = byTarget(reader, target).where(
    isNotSuspended(["likes.person_id"]),
  );
  return (await fetchPage(shown, "likes.id", page)).map(toLike);
}

/** For what the caller has found visible. */
export async function listLikesByGuid(
  reader: Reader,
  guids: readonly string[],
): Promise<Map<string, Like>> {
  if (guids.length === 0) return new Map();
  const rows = await reader
    .selectFrom("likes")
    .selectAll()
    .where(isListedText(reader, "likes.guid", JSON.stringify(guids)))
    .execute();
  return new Map(rows.map((row) => [row.guid, toLike(row)]));
}

function byTarget(reader: Reader, target: LikeTarget) {
  return reader
    .selectFrom("likes")
    .selectAll()
    .where(
      "shareable_type",
      "=",
      target.commentId === null ? "Post" : "Comment",
    )
    .where("shareable_id", "=", target.commentId ?? target.postId);
}

type LikesBy = { personId: PersonId; type: "Post" | "Comment"; list: string };

/** For each page that a person reads. */
const LIKES_BY = prepareQuery<
  LikesBy,
  { shareable_id: number; positive: boolean }
>((reader, value) =>
  reader
    .selectFrom("likes")
    .select(["shareable_id", "positive"])
    .where("person_id", "=", value("personId"))
    .where("shareable_type", "=", value("type"))
    .where(isListed(reader, "shareable_id", value("list")))
    .compile(),
);

/** This person's likes (true) and dislikes (false) of these posts or comments. */
export async function listLikesBy(
  reader: Reader,
  personId: PersonId,
  type: "Post" | "Comment",
  ids: readonly number[],
): Promise<Map<number, boolean>> {
  if (ids.length === 0) return new Map();
  const list = JSON.stringify(ids);
  const rows = await LIKES_BY(reader, { personId, type, list });
  return new Map(rows.map((row) => [row.shareable_id, Boolean(row.positive)]));
}

/** Lists one page of a person's likes, of things that it may see, newest like first. */
export async function listLikedBy(
  reader: Reader,
  person: NonNullable<Viewer>,
  page: Page,
): Promise<Like[]> {
  const liked = reader
    .selectFrom("likes")
    .innerJoin("posts", "posts.id", "likes.post_id")
    .selectAll("likes")
    .where("likes.person_id", "=", person.personId)
    .where("likes.positive", "=", true)
    .where((eb) => isPostVisibleTo(person)(eb));
  return (await fetchPage(liked, "likes.id", page)).map(toLike);
}

/** Lists one page of the people who like something that the caller has found visible. */
export async function listLikers(
  reader: Reader,
  target: LikeTarget,
  page: Page,
): Promise<Like[]> {
  const shown = byTarget(reader, target)
    .where("positive", "=", true)
    .where(isNotSuspended(["likes.person_id"]));
  return (await fetchPage(shown, "likes.id", page)).map(toLike);
}

export type LikeCounts = { readonly likes: number; readonly dislikes: number };

const countEach = prepareQuery<
  { type: "Post" | "Comment"; ids: string },
  { shareable_id: number; all: number; likes: number }
>(
  (reader, value) =>
    reader
      .selectFrom("likes")
      .select([
        "shareable_id",
        (eb) => eb.fn.countAll<number>().as("all"),
        (eb) =>
          eb.fn
            .countAll<number>()
            .filterWhere("positive", "=", true)
            .as("likes"),
      ])
      .where("shareable_type", "=", value("type"))
      .where(isListed(reader, "likes.shareable_id", value("ids")))
      .where(isNotSuspendedAmongMany("likes.person_id"))
      .groupBy("shareable_id")
      .compile(),
  { types: { type: "text", ids: "text" } },
);

/** Counts likes and dislikes of each of these posts or comments; those without any are left out. */
export async function countLikes(
  reader: Reader,
  type: "Post" | "Comment",
  ids: readonly number[],
): Promise<Map<number, LikeCounts>> {
  if (ids.length === 0) return new Map();
  const rows = await countEach(reader, { type, ids: JSON.stringify(ids) });
  return new Map(
    rows.map((row) => {
      const likes = Number(row.likes);
      const dislikes = Number(row.all) - likes;
      return [row.shareable_id, { likes, dislikes }];
    }),
  );
}

function toLike(row: {
  id: LikeId;
  guid: string;
  post_id: PostId;
  comment_id: CommentId | null;
  person_id: PersonId;
  positive: boolean | number;
  uri: string | null;
  created_at: string;
  updated_at: string;
}): Like {
  return {
    id: row.id,
    guid: row.guid,
    postId: row.post_id,
    commentId: row.comment_id,
    personId: row.person_id,
    positive: Boolean(row.positive),
    uri: row.uri,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** @returns how many were deleted */
export async function deleteSomeLikesOf(
  tx: Tx,
  personId: PersonId,
  limit: number,
): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom("likes")
    .where("id", "in", (eb) =>
      eb
        .selectFrom("likes as own")
        .select("own.id")
        .where("own.person_id", "=", personId)
        .orderBy("own.id")
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
