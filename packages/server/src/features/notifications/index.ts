import type { Db, Tx } from "../../db/db.ts";
import { timestamp, type Clock } from "../../lib/time/clock.ts";
import { KithError } from "../../lib/errors.ts";
import { jobKind } from "../../jobs/job.ts";
import type { Fact } from "../facts.ts";
import type { NotificationId, PersonId, PostId, UserId } from "../ids.ts";
import type { Page } from "../page.ts";
import {
  countUnread,
  findNotification,
  listNotifications,
  type NotificationOwner,
} from "./notification-queries.ts";
import {
  deleteNotificationsBelow,
  deleteNotificationsBy,
  deleteNotificationsOf,
  deleteSomeNotificationsOf,
  updateRead,
  updateReadOf,
} from "./notification-store.ts";
export { notify } from "./notify.ts";

export type { Notification, NotificationReason } from "./notification-store.ts";

/** The job that notifies local users of a fact. */
export const NOTIFY = jobKind<Fact>("notify");

/** A user's notifications, and which ones are read. */
export type Notifications = ReturnType<typeof createNotifications>;

export function createNotifications(deps: { db: Db; clock: Clock }) {
  const { db, clock } = deps;
  return {
    list: (user: NotificationOwner, onlyUnread: boolean, page: Page) =>
      listNotifications(db.read, user, onlyUnread, page),
    /** Counts the unread ones, up to `most`. */
    countUnread: (user: NotificationOwner, most: number) =>
      countUnread(db.read, user, most),
    find: (user: NotificationOwner, id: NotificationId) =>
      findNotification(db.read, user, id),
    /** @throws {KithError} `not_found`, also for another user's */
    get: async (user: NotificationOwner, id: NotificationId) => {
      const found = await findNotification(db.read, user, id);
      if (!found) throw new KithError("not_found", "No such notification.");
      return found;
    },
    markRead: (user: NotificationOwner, id: NotificationId) =>
      db.transaction(async (tx) => {
        const found = await findNotification(tx, user, id);
        if (!found) throw new KithError("not_found", "No such notification.");
        if (!found.unread) return found;
        const updatedAt = timestamp(clock.now());
        await updateRead(tx, user.userId, id, updatedAt);
        return { ...found, unread: false, updatedAt };
      }),
    /** Marks the user's notification of a conversation as read. */
    markConversationRead: (tx: Tx, userId: UserId, guid: string) =>
      updateReadOf(
        tx,
        userId,
        { type: "Conversation", guid },
        timestamp(clock.now()),
      ),
    /** Deletes the user's notifications of what that person did. */
    forgetOf: (tx: Tx, userId: UserId, personId: PersonId) =>
      deleteNotificationsBy(tx, userId, personId),
    /** Deletes notifications for or about a deleted account. @returns true if more are left */
    removeSomeOf: (
      leaver: { personId: PersonId; userId: UserId | null },
      limit: number,
    ) =>
      db.transaction(
        async (tx) => (await deleteSomeNotificationsOf(tx, leaver, limit)) > 0,
      ),
    /** Deletes the notifications of these posts and of their comments and likes. */
    forgetBelow: (tx: Tx, postIds: readonly PostId[]) =>
      deleteNotificationsBelow(tx, postIds),
    /** Deletes the notifications of these events. */
    forgetEvents: (tx: Tx, guids: readonly string[]) =>
      deleteNotificationsOf(tx, ["Event"], guids),
    markAllRead: (userId: UserId) =>
      db.transaction((tx) =>
        updateRead(tx, userId, "all", timestamp(clock.now())),
      ),
  };
}
