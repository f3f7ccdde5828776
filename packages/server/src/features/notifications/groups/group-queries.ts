import type { Reader } from "../../../db/db.ts";
import { isListedText } from "../../../db/prepared-query.ts";
import type { NotificationReason } from "../../../db/schema/columns/notification.ts";
import type { GroupSubjects } from "./groups.ts";
import type { Notification } from "../notification-store.ts";

type Subject =
  GroupSubjects extends ReadonlyMap<unknown, infer One> ? One : never;

/** Finds what notifications of likes and reshares are about. */
export async function listGroupSubjects(
  reader: Reader,
  list: readonly Notification[],
): Promise<GroupSubjects> {
  const guidsOf = (reason: NotificationReason) =>
    JSON.stringify(
      list
        .filter((it) => it.reason === reason)
        .map(({ shareableGuid }) => shareableGuid),
    );
  const likes = await listLiked(reader, guidsOf("like"));
  const reshares = await listReshared(reader, guidsOf("reshare"));
  return new Map(
    list.flatMap(({ id, reason, shareableGuid: guid }) => {
      const found = (reason === "like" ? likes : reshares).get(guid);
      return found ? [[id, found] as const] : [];
    }),
  );
}

/** The things of likes, by the Guid of the like. */
async function listLiked(
  reader: Reader,
  guids: string,
): Promise<Map<string, Subject>> {
  const rows = await reader
    .selectFrom("likes")
    .innerJoin("posts", "posts.id", "likes.post_id")
    .leftJoin("comments", "comments.id", "likes.comment_id")
    .select(["likes.guid", "likes.positive", "posts.id as postId"])
    .select(["posts.guid as postGuid", "comments.id as commentId"])
    .select("comments.guid as commentGuid")
    .where(isListedText(reader, "likes.guid", guids))
    .execute();
  return new Map(
    rows.map((row): [string, Subject] => {
      const { commentId, commentGuid, postId, postGuid } = row;
      const isDislike = !row.positive;
      return [
        row.guid,
        commentId === null || commentGuid === null
          ? { type: "Post", id: postId, guid: postGuid, isDislike }
          : { type: "Comment", id: commentId, guid: commentGuid, isDislike },
      ];
    }),
  );
}

/** The reshared posts, by the Guid of the reshare. */
async function listReshared(
  reader: Reader,
  guids: string,
): Promise<Map<string, Subject>> {
  const rows = await reader
    .selectFrom("posts")
    .innerJoin("posts as root", "root.guid", "posts.root_guid")
    .select(["posts.guid as reshareGuid", "root.id", "root.guid"])
    .where(isListedText(reader, "posts.guid", guids))
    .execute();
  return new Map(
    rows.map(({ reshareGuid, id, guid }): [string, Subject] => [
      reshareGuid,
      { type: "Post", id, guid, isDislike: false },
    ]),
  );
}
