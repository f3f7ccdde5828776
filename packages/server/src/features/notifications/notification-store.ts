import { sql } from "kysely";
import type { Reader, Tx } from "../../db/db.ts";
import { prepareQuery } from "../../db/prepared-query.ts";
import type {
  NotificationReason,
  ShareableType,
} from "../../db/schema/columns/notification.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { NotificationId, PersonId, PostId, UserId } from "../ids.ts";

/** Something that a person did and a local user should know. */
export type Notification = {
  readonly id: NotificationId;
  readonly userId: UserId;
  /** The person who did it. */
  readonly personId: PersonId;
  readonly reason: NotificationReason;
  readonly shareableType: ShareableType;
  readonly shareableGuid: string;
  /** Of an event that is gone, or the beginning of a draft. */
  readonly thingName: string | null;
  readonly unread: boolean;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
};

export type NewNotification = Omit<
  Notification,
  "id" | "thingName" | "unread" | "createdAt" | "updatedAt"
> & { readonly thingName?: string | null };

/** A draft has no Guid: it is named by this and its id. */
export const DRAFT_GUID = "scheduled-post-";

/**
 * One notification per thing, whatever the reasons.
 * @returns the id of the new one, if there is one
 */
export async function insertNotification(
  tx: Tx,
  notification: NewNotification,
  now: Timestamp,
): Promise<NotificationId | undefined> {
  const { userId, personId, shareableType, shareableGuid } = notification;
  const thing = { userId, personId, shareableType, shareableGuid };
  const [existing] = await ofThing(tx, thing);
  return existing ? undefined : insert(tx, notification, now);
}

const ofThing = prepareQuery<
  Omit<NewNotification, "reason">,
  { id: NotificationId }
>((reader, value) =>
  reader
    .selectFrom("notifications")
    .select("id")
    .where("user_id", "=", value("userId"))
    .where("person_id", "=", value("personId"))
    .where("shareable_type", "=", value("shareableType"))
    .where("shareable_guid", "=", value("shareableGuid"))
    .limit(1)
    .compile(),
);

/** Keeps only the latest notification of something that can happen repeatedly. */
export async function renewNotification(
  tx: Tx,
  notification: NewNotification,
  now: Timestamp,
): Promise<NotificationId | undefined> {
  await tx
    .deleteFrom("notifications")
    .where("user_id", "=", notification.userId)
    .where("person_id", "=", notification.personId)
    .where("reason", "=", notification.reason)
    .where("shareable_guid", "=", notification.shareableGuid)
    .execute();
  return insert(tx, notification, now);
}

/** Keeps one notification of a conversation, by the author of its newest message. */
export async function renewMessageNotification(
  tx: Tx,
  notification: NewNotification,
  now: Timestamp,
): Promise<NotificationId | undefined> {
  await tx
    .deleteFrom("notifications")
    .where("user_id", "=", notification.userId)
    .where("shareable_type", "=", notification.shareableType)
    .where("shareable_guid", "=", notification.shareableGuid)
    .execute();
  return insert(tx, notification, now);
}

/** Marks the user's notifications of a thing as read. */
export async function updateReadOf(
  tx: Tx,
  userId: UserId,
  { type, guid }: { readonly type: ShareableType; readonly guid: string },
  now: Timestamp,
): Promise<void> {
  await tx
    .updateTable("notifications")
    .set({ unread: false, updated_at: now })
    .where("user_id", "=", userId)
    .where("shareable_type", "=", type)
    .where("shareable_guid", "=", guid)
    .where("unread", "=", true)
    .execute();
}

async function insert(
  tx: Tx,
  notification: NewNotification,
  now: Timestamp,
): Promise<NotificationId | undefined> {
  const [inserted] = await insertRow(tx, {
    thingName: null,
    ...notification,
    now,
  });
  return inserted?.id;
}

const insertRow = prepareQuery<
  NewNotification & { now: Timestamp },
  { id: NotificationId }
>((reader, value) =>
  reader
    .insertInto("notifications")
    .values({
      user_id: value("userId"),
      person_id: value("personId"),
      reason: value("reason"),
      shareable_type: value("shareableType"),
      shareable_guid: value("shareableGuid"),
      thing_name: value("thingName"),
      unread: true,
      created_at: value("now"),
      updated_at: value("now"),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .compile(),
);

/** Both databases limit the number of parameters of one query. */
const GUIDS_PER_QUERY = 500;

/** Deletes the notifications of deleted things. */
export async function deleteNotificationsOf(
  tx: Tx,
  shareableTypes: readonly ShareableType[],
  guids: readonly string[],
): Promise<void> {
  for (let start = 0; start < guids.length; start += GUIDS_PER_QUERY)
    await tx
      .deleteFrom("notifications")
      .where("shareable_type", "in", shareableTypes)
      .where(
        "shareable_guid",
        "in",
        guids.slice(start, start + GUIDS_PER_QUERY),
      )
      .execute();
}

/** Deletes the notifications of the reshares of a deleted post: they stay, but show nothing of it. */
export async function deleteReshareNotifications(
  tx: Tx,
  rootGuid: string,
): Promise<void> {
  await tx
    .deleteFrom("notifications")
    .where("reason", "=", "reshare")
    .where("shareable_type", "=", "Post")
    .where("shareable_guid", "in", (eb) =>
      eb
        .selectFrom("posts")
        .select("posts.guid")
        .where("posts.root_guid", "=", rootGuid),
    )
    .execute();
}

/** The users who are notified of a thing. */
export async function listNotifiedUsers(
  reader: Reader,
  type: ShareableType,
  guid: string,
): Promise<UserId[]> {
  const rows = await reader
    .selectFrom("notifications")
    .select("user_id")
    .distinct()
    .where("shareable_type", "=", type)
    .where("shareable_guid", "=", guid)
    .execute();
  return rows.map((row) => row.user_id);
}

/** Deletes the notifications of one user of a thing. */
export async function deleteNotificationOf(
  tx: Tx,
  userId: UserId,
  type: ShareableType,
  guid: string,
): Promise<void> {
  await tx
    .deleteFrom("notifications")
    .where("user_id", "=", userId)
    .where("shareable_type", "=", type)
    .where("shareable_guid", "=", guid)
    .execute();
}

/** Deletes one user's notifications of what one person did. */
export async function deleteNotificationsBy(
  tx: Tx,
  userId: UserId,
  personId: PersonId,
): Promise<void> {
  await tx
    .deleteFrom("notifications")
    .where("user_id", "=", userId)
    .where("person_id", "=", personId)
    .execute();
}

/** Deletes the user's notifications of what anybody on that host did. */
export async function deleteNotificationsFrom(
  tx: Tx,
  userId: UserId,
  host: string,
): Promise<void> {
  await tx
    .deleteFrom("notifications")
    .where("user_id", "=", userId)
    .where("person_id", "in", (eb) =>
      eb.selectFrom("people").select("people.id").where("host", "=", host),
    )
    .execute();
}

/** Marks one notification of the user read, or all of them. */
export async function updateRead(
  tx: Tx,
  userId: UserId,
  id: NotificationId | "all",
  now: Timestamp,
): Promise<void> {
  let query = tx
    .updateTable("notifications")
    .set({ unread: false, updated_at: now })
    .where("user_id", "=", userId)
    .where("unread", "=", true);
  if (id !== "all") query = query.where("id", "=", id);
  await query.execute();
}

/** Deletes notifications for or about a person. @returns how many */
export async function deleteSomeNotificationsOf(
  tx: Tx,
  { personId, userId }: { personId: PersonId; userId: UserId | null },
  limit: number,
): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom("notifications")
    .where("id", "in", (eb) =>
      eb
        .selectFrom("notifications as own")
        .select("own.id")
        .where((or) =>
          or.or([
            or("own.person_id", "=", personId),
            ...(userId === null ? [] : [or("own.user_id", "=", userId)]),
          ]),
        )
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Deletes the notifications of these posts and of their comments and likes. */
export async function deleteNotificationsBelow(
  tx: Tx,
  postIds: readonly PostId[],
): Promise<void> {
  if (postIds.length === 0) return;
  for (const [type, table, column] of [
    ["Post", "posts", "id"],
    ["Conversation", "posts", "id"],
    ["Comment", "comments", "post_id"],
    ["Like", "likes", "post_id"],
  ] as const)
    await tx
      .deleteFrom("notifications")
      .where("shareable_type", "=", type)
      .where("shareable_guid", "in", (eb) =>
        eb
          .selectFrom(table)
          .select("guid")
          .where(sql.ref(column), "in", postIds),
      )
      .execute();
}

/** @returns false if the user has no such notification */
export async function deleteOwnNotification(
  tx: Tx,
  userId: UserId,
  id: NotificationId,
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("notifications")
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function deleteAllNotificationsOf(
  tx: Tx,
  userId: UserId,
): Promise<void> {
  await tx.deleteFrom("notifications").where("user_id", "=", userId).execute();
}

/** Marks the user's notifications read, up to one. */
export async function updateReadUpTo(
  tx: Tx,
  userId: UserId,
  id: number,
  now: Timestamp,
): Promise<void> {
  await tx
    .updateTable("notifications")
    .set({ unread: false, updated_at: now })
    .where("user_id", "=", userId)
    .where("unread", "=", true)
    .where(sql.ref<number>("id"), "<=", id)
    .execute();
}
