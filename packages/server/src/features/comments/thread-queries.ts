import { sql, type RawBuilder } from "kysely";
import type { Reader } from "../../db/db.ts";
import { isListed, isListedText } from "../../db/prepared-query.ts";
import type { CommentId, PersonId, PostId } from "../ids.ts";
import { isReadBy, toComment, type Comment } from "./comment-store.ts";

/** The place of a comment in its thread. */
export type CommentNode = Pick<Comment, "id" | "guid" | "parentGuid">;

/** Reading a thread costs no more than this, however long it is. */
export const MAX_THREAD_LENGTH = 5000;
const MAX_ABOVE = 100;

type Row = { id: CommentId; guid: string; parent_guid: string | null };

/** Lists the oldest comments of a post that the reader sees. */
export async function listNodes(
  reader: Reader,
  postId: PostId,
  readerId: PersonId | null,
): Promise<CommentNode[]> {
  const rows = await reader
    .selectFrom("comments")
    .select(["id", "guid", "parent_guid"])
    .where("post_id", "=", postId)
    .where(isReadBy(readerId, "comments"))
    .orderBy("id")
    .limit(MAX_THREAD_LENGTH)
    .execute();
  return rows.map(toNode);
}

/** Lists the replies to a comment, and to those, that the reader sees. */
export async function listNodesBelow(
  reader: Reader,
  { id, postId }: Comment,
  readerId: PersonId | null,
): Promise<CommentNode[]> {
  // `union` ends where comments name each other as parents.
  const rows = await run(
    reader,
    sql<Row>`with recursive below(id, guid, parent_guid) as (
      select comments.id, comments.guid, comments.parent_guid
        from comments where comments.id = ${id}
      union
      select comments.id, comments.guid, comments.parent_guid
        from below join comments on comments.parent_guid = below.guid
        where comments.post_id = ${postId}
          and ${isReadBy(readerId, "comments")}
    ) select id, guid, parent_guid from below limit ${MAX_THREAD_LENGTH}`,
  );
  return rows.map(toNode).sort((a, b) => a.id - b.id);
}

/** Lists the comments above one that the reader sees, from the post downwards. */
export async function listAbove(
  reader: Reader,
  { id, postId }: Comment,
  readerId: PersonId | null,
): Promise<Comment[]> {
  const rows = await run(
    reader,
    sql<Row>`with recursive above(id, guid, parent_guid, level) as (
      select comments.id, comments.guid, comments.parent_guid, 0
        from comments where comments.id = ${id}
      union all
      select comments.id, comments.guid, comments.parent_guid, above.level + 1
        from above join comments on comments.guid = above.parent_guid
        where above.level < ${MAX_ABOVE} and comments.post_id = ${postId}
          and ${isReadBy(readerId, "comments")}
    ) select id, guid, parent_guid from above order by level`,
  );
  const ids = rows.map((row) => row.id);
  // Comments may name each other as parents.
  const again = ids.findIndex((one, at) => ids.indexOf(one) < at);
  const chain = ids.slice(1, again === -1 ? undefined : again).reverse();
  const found = await listById(reader, chain);
  return chain.flatMap((one) => found.get(one) ?? []);
}

export async function listById(
  reader: Reader,
  ids: readonly CommentId[],
): Promise<Map<CommentId, Comment>> {
  if (ids.length === 0) return new Map();
  const rows = await reader
    .selectFrom("comments")
    .selectAll()
    .where(isListed(reader, "comments.id", JSON.stringify(ids)))
    .execute();
  return new Map(rows.map((row) => [row.id, toComment(row)]));
}

export async function listByGuid(
  reader: Reader,
  guids: readonly string[],
): Promise<Map<string, Comment>> {
  if (guids.length === 0) return new Map();
  const rows = await reader
    .selectFrom("comments")
    .selectAll()
    .where(isListedText(reader, "comments.guid", JSON.stringify(guids)))
    .execute();
  return new Map(rows.map((row) => [row.guid, toComment(row)]));
}

/** Counts the comments above this one in the list of its post. */
export async function countEarlier(
  reader: Reader,
  { id, postId }: Pick<Comment, "id" | "postId">,
  readerId: PersonId | null,
): Promise<number> {
  const row = await reader
    .selectFrom("comments")
    .select((eb) => eb.fn.countAll<number | string>().as("count"))
    .where("post_id", "=", postId)
    .where("comments.id", "<", id)
    .where(isReadBy(readerId, "comments"))
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

async function run(reader: Reader, query: RawBuilder<Row>): Promise<Row[]> {
  return (await query.execute(reader)).rows;
}

function toNode({ id, guid, parent_guid: parentGuid }: Row): CommentNode {
  return { id, guid, parentGuid };
}
