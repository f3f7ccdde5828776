import type { Reader } from "../../db/db.ts";
import type { CommentId, PostId } from "../../features/ids.ts";
import type { Page } from "../../features/page.ts";

/** How many comments on a post have an ActivityPub id. */
export async function countNamedComments(
  reader: Reader,
  postId: PostId,
): Promise<number> {
  const { count } = await selectNamed(reader, postId)
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** One page of them, oldest first. */
export async function listNamedComments(
  reader: Reader,
  postId: PostId,
  page: Page,
): Promise<CommentId[]> {
  const rows = await selectNamed(reader, postId)
    .select("comments.id")
    .orderBy("comments.id")
    .offset(page.offset)
    .limit(page.limit)
    .execute();
  return rows.map(({ id }) => id as CommentId);
}

/** What came over diaspora* alone has no id that another server could ask for. */
function selectNamed(reader: Reader, postId: PostId) {
  return reader
    .selectFrom("comments")
    .innerJoin("people as author", "author.id", "comments.person_id")
    .where("comments.post_id", "=", postId)
    .where((eb) =>
      eb.or([
        eb("comments.uri", "is not", null),
        eb("author.user_id", "is not", null),
      ]),
    );
}

/** A post, or, by its Guid, a comment on it. */
export type Answered = {
  readonly postId: PostId;
  readonly parentGuid: string | null;
};

/** How many answers of it have an ActivityPub id. Of a post: those that answer no comment. */
export async function countReplies(
  reader: Reader,
  answered: Answered,
): Promise<number> {
  const { count } = await selectReplies(reader, answered)
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** One page of them, oldest first. */
export async function listReplies(
  reader: Reader,
  answered: Answered,
  page: Page,
): Promise<CommentId[]> {
  const rows = await selectReplies(reader, answered)
    .select("comments.id")
    .orderBy("comments.id")
    .offset(page.offset)
    .limit(page.limit)
    .execute();
  return rows.map(({ id }) => id as CommentId);
}

function selectReplies(reader: Reader, { postId, parentGuid }: Answered) {
  return selectNamed(reader, postId).where(
    "comments.parent_guid",
    parentGuid === null ? "is" : "=",
    parentGuid,
  );
}

/** The ActivityPub ids of comments from elsewhere on a post, newest first. */
export async function listNamedUris(
  reader: Reader,
  postId: PostId,
  limit: number,
): Promise<string[]> {
  const rows = await reader
    .selectFrom("comments")
    .select("uri")
    .where("post_id", "=", postId)
    .where("uri", "is not", null)
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  return rows.flatMap(({ uri }) => uri ?? []);
}
