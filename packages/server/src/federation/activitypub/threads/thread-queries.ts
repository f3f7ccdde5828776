import type { JsonObject } from "@kith/activitypub";
import type { Reader } from "../../../db/db.ts";
import type { PostId } from "../../../features/ids.ts";
import type { Page } from "../../../features/page.ts";
import { parseProved } from "../records/proved-store.ts";
import type { Uris } from "../records/uris.ts";

/** Comments on a post: all of them, or the replies to one object. */
export type CommentFilter = {
  readonly postId: PostId;
  /** The comment that they answer; null: none. */
  readonly parentGuid?: string | null;
};

/** The number of those with an ActivityPub id. */
export async function countNamed(
  reader: Reader,
  said: CommentFilter,
): Promise<number> {
  const { count } = await selectNamed(reader, said)
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/**
 * One page of them, oldest first: the signed activity if it is stored, since
 * others could not fetch it, or else the id.
 */
export async function listNamed(
  reader: Reader,
  uris: Uris,
  said: CommentFilter,
  page: Page,
): Promise<(string | JsonObject)[]> {
  const rows = await selectNamed(reader, said)
    .leftJoin("proved_documents as proved", "proved.comment_id", "comments.id")
    .select(["comments.guid", "comments.uri", "author.user_id"])
    .select("proved.document")
    .orderBy("comments.id")
    .offset(page.offset)
    .limit(page.limit)
    .execute();
  return rows.flatMap(
    ({ guid, uri, user_id, document }): (string | JsonObject)[] => {
      if (document !== null) return [parseProved(document)];
      if (user_id !== null) return [uris.object(guid)];
      return uri === null ? [] : [uri];
    },
  );
}

/**
 * Comments received over diaspora* alone have no id that other servers could
 * fetch.
 */
function selectNamed(reader: Reader, { postId, parentGuid }: CommentFilter) {
  const named = reader
    .selectFrom("comments")
    .innerJoin("people as author", "author.id", "comments.person_id")
    .where("comments.post_id", "=", postId)
    .where("author.state", "<>", "shut_out")
    .where((eb) =>
      eb.or([
        eb("comments.uri", "is not", null),
        eb("author.user_id", "is not", null),
      ]),
    );
  return parentGuid === undefined
    ? named
    : named.where(
        "comments.parent_guid",
        parentGuid === null ? "is" : "=",
        parentGuid,
      );
}

/** The ActivityPub ids of remote comments on a post, newest first. */
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
