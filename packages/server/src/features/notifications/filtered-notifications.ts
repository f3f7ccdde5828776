import type { Reader } from "../../db/db.ts";
import { isListedText } from "../../db/prepared-query.ts";
import { fillPage } from "../fill-page.ts";
import type { NotificationId } from "../ids.ts";
import type { Page } from "../page.ts";
import {
  listHiding,
  matchComments,
  matchPosts,
  type FilterMatch,
  type WordFilter,
} from "../visibility/index.ts";
import type { NotificationOwner } from "./notification-queries.ts";
import type { Notification } from "./notification-store.ts";

/**
 * Finds the filters that match the posts and comments of notifications, by notification. Other
 * kinds say nothing that others wrote for everyone to read: likes are of one's own posts, and
 * private messages are not filtered.
 */
export async function matchNotifications(
  reader: Reader,
  user: NotificationOwner,
  filters: readonly WordFilter[],
  list: readonly Notification[],
): Promise<Map<NotificationId, FilterMatch[]>> {
  if (filters.length === 0) return new Map();
  const guidsOf = (kind: "Post" | "Comment") =>
    JSON.stringify(
      list
        .filter((it) => it.shareableType === kind)
        .map((it) => it.shareableGuid),
    );
  const posts = await reader
    .selectFrom("posts")
    .select(["id", "guid", "person_id as personId", "text", "warning"])
    .where(isListedText(reader, "posts.guid", guidsOf("Post")))
    .execute();
  const comments = await reader
    .selectFrom("comments")
    .select(["id", "guid", "person_id as personId", "text", "warning"])
    .where(isListedText(reader, "comments.guid", guidsOf("Comment")))
    .execute();
  const ofPosts = await matchPosts(reader, user, filters, posts);
  const ofComments = await matchComments(reader, user, filters, comments);
  const byThing = new Map<string, FilterMatch[] | undefined>([
    ...posts.map((it) => [`Post ${it.guid}`, ofPosts.get(it.id)] as const),
    ...comments.map(
      (it) => [`Comment ${it.guid}`, ofComments.get(it.id)] as const,
    ),
  ]);
  return new Map(
    list.flatMap(({ id, shareableType, shareableGuid }) => {
      const matches = byThing.get(`${shareableType} ${shareableGuid}`);
      return matches ? [[id, matches] as const] : [];
    }),
  );
}

/** Characters of an average text: the texts are not at hand where pages are filled. */
const ASSUMED_LENGTH = 1_000;

/** Lists one page of notifications without those that a filter of the user hides. */
export async function withoutHiddenNotifications(
  reader: Reader,
  user: NotificationOwner,
  page: Page,
  read: (page: Page) => Promise<Notification[]>,
): Promise<Notification[]> {
  const filters = await listHiding(reader, user, "notifications");
  if (filters.length === 0) return read(page);
  return fillPage(page, {
    order: "newest first",
    read,
    leaveOut: async (list) => {
      const hidden = await matchNotifications(reader, user, filters, list);
      return list.filter(({ id }) => !hidden.has(id));
    },
    workOf: () => ASSUMED_LENGTH * filters.length,
  });
}
