import type {
  NotificationReason,
  ShareableType,
} from "../../db/schema/columns/notification.ts";
import { sql, type SqlBool } from "kysely";
import {
  isEventVisibleTo,
  isNotSuspended,
  isPostVisibleTo,
} from "../visibility/index.ts";
import type { Reader } from "../../db/db.ts";
import { prepareQuery } from "../../db/prepared-query.ts";

import type { NotificationId, PersonId, PostId, UserId } from "../ids.ts";
import { fetchPage, type Page } from "../page.ts";

import { DRAFT_GUID, type Notification } from "./notification-store.ts";

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

/** Which notifications are listed. */
export type NoticeSelection = {
  /** All by default. */
  readonly reasons?: readonly NotificationReason[] | undefined;
  /** Only of what this person did. */
  readonly by?: PersonId | undefined;
  readonly onlyUnread?: boolean | undefined;
  /** Without dislikes by default. */
  readonly withDislikes?: boolean | undefined;
};

/** One page of some of a user's notifications, newest first. */
export async function listSomeNotifications(
  reader: Reader,
  user: NotificationOwner,
  { reasons, by, onlyUnread, withDislikes }: NoticeSelection,
  page: Page,
): Promise<Notification[]> {
  if (reasons?.length === 0) return [];
  let query = notificationsOf(reader, user);
  if (reasons) query = query.where("reason", "in", reasons);
  if (!withDislikes) query = query.where(isNoDislike);
  if (onlyUnread) query = query.where(sql<boolean>`unread`);
  if (by !== undefined) query = query.where("person_id", "=", by);
  const rows = await fetchPage(query, "notifications.id", page);
  return rows.map(toNotification);
}

const isNoDislike = sql<SqlBool>`not exists (select 1 from likes as dislike
    where dislike.guid = notifications.shareable_guid and dislike.positive = false)`;

type UnreadOf = NotificationOwner & { readonly most: number };

/** The count is on every page. */
const UNREAD = prepareQuery<UnreadOf, { id: NotificationId }>((reader, value) =>
  notificationsOf(reader, {
    userId: value("userId"),
    personId: value("personId"),
  })
    .where(sql<boolean>`unread`)
    .clearSelect()
    .select("notifications.id")
    .limit(sql<number>`${value("most")}`)
    .compile(),
);

/** Counts a user's unread notifications, up to `most`. */
export async function countUnread(
  reader: Reader,
  user: NotificationOwner,
  most: number,
): Promise<number> {
  const { userId, personId } = user;
  return (await UNREAD(reader, { userId, personId, most })).length;
}

/** Older notifications are not looked at. */
const LATEST = 200;

type UnreadBelow = NotificationOwner & {
  readonly postId: PostId;
  readonly most: number;
};

/** Whether they may be seen is asked last: most unread ones are of other posts. */
const UNREAD_COMMENTS = prepareQuery<UnreadBelow, Row>((reader, value) => {
  const latest = reader
    .selectFrom("notifications as latest")
    .select(["latest.id", "latest.shareable_type", "latest.shareable_guid"])
    .where("latest.user_id", "=", value("userId"))
    .where(sql<boolean>`latest.unread`)
    .orderBy("latest.id", "desc")
    .limit(LATEST)
    .as("latest");
  const below = reader
    .selectFrom(latest)
    .innerJoin("comments", "comments.guid", "latest.shareable_guid")
    .select("latest.id")
    .where("latest.shareable_type", "=", "Comment")
    .where("comments.post_id", "=", value("postId"));
  return notificationsOf(reader, {
    userId: value("userId"),
    personId: value("personId"),
  })
    .where("notifications.id", "in", below)
    .orderBy("notifications.id")
    .limit(sql<number>`${value("most")}`)
    .compile();
});

/** Lists the user's unread notifications of comments on a post, the first comment first. */
export async function listUnreadComments(
  reader: Reader,
  { userId, personId }: NotificationOwner,
  postId: PostId,
  most: number,
): Promise<Notification[]> {
  const rows = await UNREAD_COMMENTS(reader, {
    ...{ userId, personId, postId, most },
  });
  return rows.map(toNotification);
}

/**
 * Omits notifications by suspended people, of posts, comments, likes and events that the
 * user may not see, or no longer may, and of follow requests that are no longer pending.
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
          "Request",
          "Draft",
        ]),
        eb.and([
          eb("shareable_type", "=", "Draft"),
          // It was neither published nor deleted nor changed since.
          eb.exists(
            eb
              .selectFrom("drafts")
              .select("drafts.id")
              .whereRef("drafts.user_id", "=", "notifications.user_id")
              .where("drafts.failed_reason", "is not", null)
              .where(
                sql<SqlBool>`notifications.shareable_guid = ${DRAFT_GUID} || drafts.id`,
              ),
          ),
        ]),
        eb.and([
          eb("shareable_type", "=", "Request"),
          eb.exists(
            eb
              .selectFrom("follow_requests as pending")
              .select("pending.id")
              .whereRef("pending.user_id", "=", "notifications.user_id")
              .whereRef("pending.person_id", "=", "notifications.person_id"),
          ),
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

type Row = {
  id: NotificationId;
  user_id: UserId;
  person_id: PersonId;
  reason: NotificationReason;
  shareable_type: ShareableType;
  shareable_guid: string;
  thing_name: string | null;
  unread: boolean | number;
  created_at: string;
  updated_at: string;
};

function toNotification(row: Row): Notification {
  return {
    id: row.id,
    userId: row.user_id,
    personId: row.person_id,
    reason: row.reason,
    shareableType: row.shareable_type,
    shareableGuid: row.shareable_guid,
    thingName: row.thing_name,
    unread: Boolean(row.unread),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
