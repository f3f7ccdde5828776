import { sql } from "kysely";
import {
  isEventVisibleTo,
  isNotSuspended,
  isPostVisibleTo,
} from "../visibility/index.ts";
import type { Reader } from "../../db/db.ts";

import type { NotificationId, PersonId, PostId, UserId } from "../ids.ts";
import { fetchPage, type Page } from "../page.ts";

import type {
  Notification,
  NotificationReason,
  ShareableType,
} from "./notification-store.ts";

/** The user whose notifications are read. */
export type NotificationOwner = {
  readonly userId: UserId;
  readonly personId: PersonId;
};

export async function findNotification(
  reader: Reader,
  user: NotificationOwner,
  id: NotificationId,
): Promise<Notification | undefined> {
  const row = await notificationsOf(reader, user)
    .where("id", "=", id)
    .executeTakeFirst();
  return row && toNotification(row);
}

/** One page of a user's notifications, newest first. */
export async function listNotifications(
  reader: Reader,
  user: NotificationOwner,
  onlyUnread: boolean,
  page: Page,
): Promise<Notification[]> {
  let query = notificationsOf(reader, user);
  // A literal, because a parameter would prevent the use of the partial index of unread
  // rows.
  if (onlyUnread) query = query.where(sql<boolean>`unread`);
  const rows = await fetchPage(query, "notifications.id", page);
  return rows.map(toNotification);
}

/** Counts a user's unread notifications, up to `most`. */
export async function countUnread(
  reader: Reader,
  user: NotificationOwner,
  most: number,
): Promise<number> {
  const rows = await notificationsOf(reader, user)
    .where(sql<boolean>`unread`)
    .clearSelect()
    .select("notifications.id")
    .limit(most)
    .execute();
  return rows.length;
}

/**
 * Omits notifications by suspended people, and of posts, comments, likes and events that
 * the user may not see, or no longer may.
 */
function notificationsOf(reader: Reader, user: NotificationOwner) {
  return reader
    .selectFrom("notifications")
    .selectAll()
    .where("user_id", "=", user.userId)
    .where(isNotSuspended(["notifications.person_id"]))
    .where((eb) =>
      eb.or([
        eb("shareable_type", "not in", [
          "Post",
          "Conversation",
          "Comment",
          "Like",
          "Event",
        ]),
        eb.and([
          eb("shareable_type", "=", "Event"),
          eb.exists(
            eb
              .selectFrom("events")
              .select("events.id")
              .whereRef("events.guid", "=", "notifications.shareable_guid")
              .where(isEventVisibleTo(user)),
          ),
        ]),
        eb.exists(
          eb
            .selectFrom("posts")
            .select("posts.id")
            .where("posts.id", "=", postOfNotification)
            .where(isPostVisibleTo(user)),
        ),
      ]),
    );
}

/** The post that a notification is about, or the post of its comment or like. */
const postOfNotification = sql<PostId>`case notifications.shareable_type
    when 'Post' then (select self.id from posts as self
      where self.guid = notifications.shareable_guid)
    when 'Conversation' then (select self.id from posts as self
      where self.guid = notifications.shareable_guid)
    when 'Comment' then (select comments.post_id from comments
      where comments.guid = notifications.shareable_guid)
    else (select likes.post_id from likes
      where likes.guid = notifications.shareable_guid) end`;

function toNotification(row: {
  id: NotificationId;
  user_id: UserId;
  person_id: PersonId;
  reason: NotificationReason;
  shareable_type: ShareableType;
  shareable_guid: string;
  unread: boolean | number;
  created_at: string;
  updated_at: string;
}): Notification {
  return {
    id: row.id,
    userId: row.user_id,
    personId: row.person_id,
    reason: row.reason,
    shareableType: row.shareable_type,
    shareableGuid: row.shareable_guid,
    unread: Boolean(row.unread),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
