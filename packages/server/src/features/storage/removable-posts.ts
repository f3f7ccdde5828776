import { sql, type SqlBool } from "kysely";
import type { Db, Reader, Tx } from "../../db/db.ts";
import { forUpdate } from "../../db/dialect.ts";
import { dialectOf, isListed } from "../../db/prepared-query.ts";
import { loadJson } from "../../db/schema/columns/json-text.ts";
import { later, timestamp } from "../../lib/time/clock.ts";
import type { PostId } from "../ids.ts";
import { timeIdRange } from "../time-id.ts";
import { isFollowed, listTies } from "./post-conditions.ts";
import { NOTHING_FREED, type Freed } from "./storage-rules.ts";

/** The remote posts that a rule is about, before each post is looked at. */
export type PostRange = {
  /** Of posts whom somebody follows, or of the others. */
  readonly areFollowed: boolean;
  /** Written before this time, and here since before it. */
  readonly before: Date;
};

export type RemovablePost = {
  readonly id: PostId;
  /** Of a reshare. */
  readonly rootGuid: string | null;
};

const DAY_MS = 86_400_000;

export function rangeOf(
  now: Date,
  days: number,
  areFollowed: boolean,
): PostRange {
  return { areFollowed, before: later(now, -days * DAY_MS) };
}

/** The first id of a post at a time. */
export function firstPostId(at: Date): number {
  return timeIdRange("post", at, "", at).first;
}

/** Lists ids below one, newest first, whether or not the posts may be removed. */
export async function listIdsBelow(
  reader: Reader,
  below: number,
  limit: number,
): Promise<PostId[]> {
  const rows = await reader
    .selectFrom("posts")
    .select("id")
    .where(sql<SqlBool>`id < ${below}`)
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Lists those of the posts that the rule removes, newest first. */
export async function listRemovable(
  reader: Reader,
  ids: readonly PostId[],
  { areFollowed, before }: PostRange,
): Promise<RemovablePost[]> {
  if (ids.length === 0) return [];
  const ties = Object.values(
    listTies(timeIdRange("comment", before, "", before).first),
  );
  const followed = isFollowed();
  const { rows } = await sql<RemovablePost>`
    select posts.id, posts.root_guid as "rootGuid"
    -- SQLite keeps this order, and would begin with everybody elsewhere.
    from posts cross join people
    where people.id = posts.person_id
      and ${isListed(reader, "posts.id", JSON.stringify(ids))}
      and posts.id < ${firstPostId(before)} and people.user_id is null
      and (posts.stored_at is null or posts.stored_at < ${timestamp(before)})
      and ${areFollowed ? followed : sql`not ${followed}`}
      and not (${sql.join(ties, sql` or `)})
    order by posts.id desc`.execute(reader);
  const inDrafts = rows.length === 0 ? EMPTY : await listDrafted(reader);
  return rows.filter(({ id }) => !inDrafts.has(id));
}

const EMPTY: ReadonlySet<PostId> = new Set();

/** The posts that drafts of people here quote. */
async function listDrafted(reader: Reader): Promise<ReadonlySet<PostId>> {
  const rows = await reader.selectFrom("drafts").select("content").execute();
  return new Set(
    rows.flatMap(({ content }) => loadJson(content).quoteId ?? []),
  );
}

/**
 * The same, locked until the end of the transaction: nobody comments, likes or keeps one of
 * them meanwhile.
 */
export async function lockRemovable(
  { dialect }: Pick<Db, "dialect">,
  tx: Tx,
  ids: readonly PostId[],
  range: PostRange,
): Promise<RemovablePost[]> {
  const rows = await sql`select id from posts
    where ${isListed(tx, "posts.id", JSON.stringify(ids))}
    order by id ${forUpdate(dialect)}`.execute(tx);
  return rows.rows.length === 0 ? [] : listRemovable(tx, ids, range);
}

/** Lists the reshared posts of reshares, as far as they are here. */
export async function listRoots(
  reader: Reader,
  posts: readonly RemovablePost[],
): Promise<PostId[]> {
  const guids = posts.flatMap(({ rootGuid }) => rootGuid ?? []);
  if (guids.length === 0) return [];
  const rows = await reader
    .selectFrom("posts")
    .select("id")
    .where("guid", "in", guids)
    .execute();
  return rows.map(({ id }) => id);
}

/** Bytes that a row takes beside its texts, with its indexes, and with those that hang on it. */
const ROW_BYTES = { post: 900, comment: 400, reaction: 250 };

/** Measures what goes with the posts. */
export async function measurePosts(
  reader: Reader,
  posts: readonly RemovablePost[],
): Promise<Freed> {
  const ids = JSON.stringify(posts.map(({ id }) => id));
  const length =
    dialectOf(reader) === "sqlite"
      ? sql`length(cast(text as blob))`
      : sql`octet_length(text)`;
  const measure = async (table: string, column: string) => {
    const { rows } = await sql<{ count: number; bytes: number }>`
      select count(*) as count, coalesce(sum(${length}), 0) as bytes
      from ${sql.table(table)}
      where ${isListed(reader, column, ids)}`.execute(reader);
    const { count, bytes } = rows[0] ?? { count: 0, bytes: 0 };
    return { count: Number(count), bytes: Number(bytes) };
  };
  const count = async (table: string) => {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from ${sql.table(table)}
      where ${isListed(reader, "post_id", ids)}`.execute(reader);
    return Number(rows[0]?.count ?? 0);
  };
  const own = await measure("posts", "id");
  const comments = await measure("comments", "post_id");
  const reactions = (await count("likes")) + (await count("reactions"));
  return {
    ...NOTHING_FREED,
    posts: own.count,
    comments: comments.count,
    reactions,
    bytes:
      // A text is also in the index of words.
      2 * own.bytes +
      comments.bytes +
      own.count * ROW_BYTES.post +
      comments.count * ROW_BYTES.comment +
      reactions * ROW_BYTES.reaction,
  };
}
