import { sql, type SqlBool } from "kysely";
import type { Reader, Tx } from "../../db/db.ts";
import type { JsonText } from "../../db/schema/columns/json-text.ts";
import {
  isListed,
  isListedText,
  prepareQuery,
} from "../../db/prepared-query.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { CustomEmoji } from "../custom-emojis.ts";
import {
  isNotBlockedOrIgnored,
  isNotBlockedOrIgnoredAmongMany,
  isNotSuspended,
  isNotSuspendedAmongMany,
} from "../visibility/index.ts";
import { notBefore, overtakesUntil, type EditTime } from "../edit-times.ts";
import type { CommentId, PersonId, PostId } from "../ids.ts";
import { columnOf, type Key } from "../key.ts";
import { fetchPage, type Page } from "../page.ts";
import { loadList, storeList } from "../stored-list.ts";
import { prepareInsertInTime } from "../time-id-store.ts";

/** A comment belongs to a post and has the post's audience. */
export type Comment = {
  readonly id: CommentId;
  readonly guid: string;
  readonly postId: PostId;
  readonly personId: PersonId;
  /** Markdown. */
  readonly text: string;
  /** Like the warning of a post. */
  readonly warning: string | null;
  readonly language: string | null;
  readonly emojis: readonly CustomEmoji[];
  /** The parent comment; null if it replies to the post itself. */
  readonly parentGuid: string | null;
  /** ActivityPub id of a remote comment. */
  readonly uri: string | null;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
};

type OptionalOfNew = "emojis" | "language" | "updatedAt" | "warning";

export type NewComment = Omit<Comment, "id" | OptionalOfNew> &
  Partial<Pick<Comment, OptionalOfNew>>;

export type CommentKey = Key<CommentId>;

const insertInTime = prepareInsertInTime("comment");

/**
 * The caller has made sure that the Guid is free.
 * @returns also whether deferred messages wait for the comment
 */
export async function insertComment(
  tx: Tx,
  comment: NewComment,
  now: Date,
): Promise<{ id: CommentId; isAwaited: boolean }> {
  return insertInTime(tx, comment, now, {
    guid: comment.guid,
    post_id: comment.postId,
    person_id: comment.personId,
    text: comment.text,
    warning: comment.warning ?? null,
    language: comment.language ?? null,
    emojis: storeList(comment.emojis ?? []),
    parent_guid: comment.parentGuid,
    uri: comment.uri,
    created_at: comment.createdAt,
    updated_at: comment.updatedAt ?? comment.createdAt,
  });
}

/**
 * Sets the ActivityPub id that the author's server confirms, for a comment that arrived
 * without one.
 */
export async function addCommentUri(
  tx: Tx,
  id: CommentId,
  uri: string,
): Promise<void> {
  await tx
    .updateTable("comments")
    .set({ uri })
    .where("id", "=", id)
    .where("uri", "is", null)
    .execute();
}

/** The fields of a comment that an edit may change. */
export type ChangedComment = Pick<
  Comment,
  "text" | "warning" | "language" | "emojis"
>;

/**
 * Updates only forwards in time: an older text never replaces a newer one.
 * @returns whether it did
 */
export async function updateCommentText(
  tx: Tx,
  id: CommentId,
  { text, warning, language, emojis }: ChangedComment,
  time: EditTime,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("comments")
    .set({
      ...{ text, warning, language, emojis: storeList(emojis) },
      updated_at: notBefore(time.editedAt),
    })
    .where("id", "=", id)
    .where("updated_at", "<", overtakesUntil(time))
    .where((or) =>
      or.or([or("updated_at", "<", time.editedAt), or("text", "<>", text)]),
    )
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** @returns false if it was already deleted concurrently */
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
  const [column, value] = columnOf(key);
  const row = await reader
    .selectFrom("comments")
    .selectAll()
    .where(column, "=", value)
    .executeTakeFirst();
  return row && toComment(row);
}

/** Lists the Guids of the likes of a comment. */
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

/**
 * Readers do not see comments by people whom they have blocked or ignore, or whose server
 * is blocked here.
 */
export function isReadBy(
  readerId: PersonId | null,
  table: "comments" | "shown",
) {
  const writers = [`${table}.person_id`];
  return readerId === null
    ? isNotSuspended(writers)
    : sql<SqlBool>`(${isNotSuspended(writers)} and ${isNotBlockedOrIgnored(readerId, writers)})`;
}

/** Lists one page of the comments of a post, oldest first. */
export async function listComments(
  reader: Reader,
  postId: PostId,
  page: Page,
  readerId: PersonId | null,
): Promise<Comment[]> {
  const shown = reader
    .selectFrom("comments")
    .selectAll()
    .where("post_id", "=", postId)
    .where(isReadBy(readerId, "comments"));
  const rows = await fetchPage(shown, "comments.id", page, "oldest first");
  return rows.map(toComment);
}

/**
 * Lists the newest comments of each of these posts, oldest first. Reads only these,
 * however many comments a post has.
 */
export async function listNewestComments(
  reader: Reader,
  postIds: readonly PostId[],
  perPost: number,
  readerId: PersonId | null,
): Promise<Comment[]> {
  if (postIds.length === 0) return [];
  const wanted = { postIds: JSON.stringify(postIds), perPost };
  const rows = await (readerId === null
    ? newestForAll(reader, wanted)
    : newestFor(reader, { ...wanted, readerId }));
  return rows.map(toComment);
}

type Newest = { postIds: string; perPost: number };

const newestFor = prepareQuery<Newest & { readerId: PersonId }, Row>(
  (reader, value) => selectNewest(reader, value, value("readerId")).compile(),
);
const newestForAll = prepareQuery<Newest, Row>((reader, value) =>
  selectNewest(reader, value, null).compile(),
);

const selectNewest = (
  reader: Reader,
  value: <Name extends keyof Newest>(name: Name) => Newest[Name],
  readerId: PersonId | null,
) =>
  reader
    .selectFrom("posts")
    .innerJoin("comments", "comments.post_id", "posts.id")
    .selectAll("comments")
    .where(isListed(reader, "posts.id", value("postIds")))
    .where("comments.id", ">=", oldestShown(value("perPost"), readerId))
    .where(isReadBy(readerId, "comments"))
    .orderBy("comments.id");

type Row = Awaited<
  ReturnType<ReturnType<typeof selectNewest>["executeTakeFirstOrThrow"]>
>;

/** Selects the id of the first comment on `posts.id` that is shown. */
const oldestShown = (
  perPost: number,
  readerId: PersonId | null,
) => sql<CommentId>`(
  select coalesce(min(newest.id), 0) from (
    select shown.id from comments as shown where shown.post_id = posts.id
      and ${isReadBy(readerId, "shown")}
    order by shown.id desc limit ${perPost}) as newest)`;

type Counted = { post_id: PostId; count: number };

const selectCounts = (reader: Reader, postIds: string) =>
  reader
    .selectFrom("comments")
    .select(["post_id", (eb) => eb.fn.countAll<number>().as("count")])
    .where(isListed(reader, "comments.post_id", postIds))
    .where(isNotSuspendedAmongMany("comments.person_id"))
    .groupBy("post_id");

const countForAll = prepareQuery<{ postIds: string }, Counted>(
  (reader, value) => selectCounts(reader, value("postIds")).compile(),
);
const countFor = prepareQuery<{ postIds: string; readerId: PersonId }, Counted>(
  (reader, value) =>
    selectCounts(reader, value("postIds"))
      .where(
        isNotBlockedOrIgnoredAmongMany(value("readerId"), "comments.person_id"),
      )
      .compile(),
);

/** Counts as many comments as `listComments` returns to the reader. */
export async function countComments(
  reader: Reader,
  postIds: readonly PostId[],
  readerId: PersonId | null,
): Promise<Map<PostId, number>> {
  if (postIds.length === 0) return new Map();
  const wanted = { postIds: JSON.stringify(postIds) };
  const rows = await (readerId === null
    ? countForAll(reader, wanted)
    : countFor(reader, { ...wanted, readerId }));
  return new Map(rows.map((row) => [row.post_id, Number(row.count)]));
}

/** Counts the direct replies of each of these comments, by Guid, as the reader sees them. */
export async function countReplies(
  reader: Reader,
  guids: readonly string[],
  readerId: PersonId | null,
): Promise<Map<string, number>> {
  if (guids.length === 0) return new Map();
  const rows = await reader
    .selectFrom("comments")
    .select(["parent_guid", (eb) => eb.fn.countAll<number>().as("count")])
    .where(isListedText(reader, "comments.parent_guid", JSON.stringify(guids)))
    .where(isReadBy(readerId, "comments"))
    .groupBy("parent_guid")
    .execute();
  return new Map(rows.map((row) => [row.parent_guid ?? "", Number(row.count)]));
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

export function toComment(row: {
  id: CommentId;
  guid: string;
  post_id: PostId;
  person_id: PersonId;
  text: string;
  warning: string | null;
  language: string | null;
  emojis: JsonText<readonly CustomEmoji[]> | null;
  parent_guid: string | null;
  uri: string | null;
  created_at: string;
  updated_at: string;
}): Comment {
  return {
    id: row.id,
    guid: row.guid,
    postId: row.post_id,
    personId: row.person_id,
    text: row.text,
    warning: row.warning,
    language: row.language,
    emojis: loadList(row.emojis),
    parentGuid: row.parent_guid,
    uri: row.uri,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** @returns how many were deleted */
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
