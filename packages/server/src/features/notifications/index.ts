import type { Db, Tx } from "../../db/db.ts";
import { timestamp, type Clock } from "../../lib/time/clock.ts";
import { KithError } from "../../lib/errors.ts";
import { jobKind } from "../../jobs/job.ts";
import type { Fact } from "../facts.ts";
import type { NotificationId, PersonId, PostId, UserId } from "../ids.ts";
import type { Page } from "../page.ts";
import { listFiltersOf } from "../visibility/index.ts";
import { createNotificationChoices } from "./choose.ts";
import {
  matchNotifications,
  withoutHiddenNotifications,
} from "./filtered-notifications.ts";
import { listGroupSubjects } from "./groups/group-queries.ts";
import { listGroupKeys } from "./groups/groups.ts";
import {
  countUnreadGroups,
  findGroup,
  listNotificationGroups,
  type GroupSelection,
} from "./groups/list-groups.ts";
import {
  countUnread,
  listUnreadComments,
  findNotification,
  listNotifications,
  listSomeNotifications,
  type NoticeSelection,
  type NotificationOwner,
} from "./notification-queries.ts";
import {
  deleteAllNotificationsOf,
  deleteNotificationsBelow,
  deleteNotificationsBy,
  deleteNotificationsFrom,
  deleteNotificationsOf,
  deleteOwnNotification,
  deleteSomeNotificationsOf,
  updateRead,
  updateReadUpTo,
  updateReadOf,
  type Notification,
} from "./notification-store.ts";
import {
  deleteOldNotifications,
  listOldNotifications,
} from "./old-notification-store.ts";
export { notify } from "./notify.ts";
export {
  storeWithin,
  type StoreNotificationDeps,
} from "./store-notification.ts";

export type { NotificationReason } from "../../db/schema/columns/notification.ts";
export type { NotificationKind } from "../../db/schema/columns/notification-choice.ts";
export type { NotificationOwner } from "./notification-queries.ts";
export { DRAFT_GUID, type Notification } from "./notification-store.ts";
export type { NotificationGroup } from "./groups/groups.ts";
export {
  kindOf,
  NOTIFICATION_KINDS,
  NOTIFYING_PEOPLE,
  reasonsOfKinds,
  UNWANTED_PEOPLE,
  type NotificationChoices,
} from "./choices.ts";

/** The job that notifies local users of a fact. */
export const NOTIFY = jobKind<Fact>("notify");

/** A user's notifications, and which ones are read. */
export type Notifications = ReturnType<typeof createNotifications>;

export function createNotifications(deps: { db: Db; clock: Clock }) {
  const { db, clock } = deps;
  const list = (user: NotificationOwner, onlyUnread: boolean, page: Page) =>
    withoutHiddenNotifications(db.read, user, page, (part) =>
      listNotifications(db.read, user, onlyUnread, part),
    );
  return {
    /** Lists a page of notifications without those that a filter of the user hides. */
    list,
    /** The same for some reasons, or of one person; without dislikes. */
    listSome: (user: NotificationOwner, which: NoticeSelection, page: Page) =>
      withoutHiddenNotifications(db.read, user, page, (part) =>
        listSomeNotifications(db.read, user, which, part),
      ),
    /** Deletes one of the user's. @throws {KithError} `not_found`, also for another user's */
    remove: ({ userId }: NotificationOwner, id: NotificationId) =>
      db.transaction(async (tx) => {
        if (!(await deleteOwnNotification(tx, userId, id)))
          throw new KithError("not_found", "No such notification.");
      }),
    /** Deletes all of the user's. */
    removeAll: (userId: UserId) =>
      db.transaction((tx) => deleteAllNotificationsOf(tx, userId)),
    /** Marks those up to an id as read. */
    markReadUpTo: (userId: UserId, id: number) =>
      db.transaction((tx) =>
        updateReadUpTo(tx, userId, id, timestamp(clock.now())),
      ),
    /** Counts the unread ones in the list, up to `most`. */
    countUnread: async (user: NotificationOwner, most: number) => {
      const filters = await listFiltersOf(db.read, user, "notifications");
      return filters.some(({ action }) => action === "hide")
        ? (await list(user, true, { offset: 0, limit: most })).length
        : countUnread(db.read, user, most);
    },
    /** The first comments on a post of which the user has unread notifications. */
    listUnreadComments: (
      user: NotificationOwner,
      postId: PostId,
      most: number,
    ) => listUnreadComments(db.read, user, postId, most),
    /** Notifications in groups by what they are about. */
    groups: createGroups(deps),
    /** The choices of users of notifications. */
    choices: createNotificationChoices(deps),
    find: (user: NotificationOwner, id: NotificationId) =>
      findNotification(db.read, user, id),
    /** Is the notification in the user's list? */
    isListed: async (user: NotificationOwner, id: NotificationId) => {
      const page = { offset: 0, limit: 1, before: id + 1, after: id - 1 };
      return (await list(user, false, page)).length > 0;
    },
    /** Finds the filters of the user that match notifications, by notification. */
    listMatches: async (
      user: NotificationOwner,
      notifications: readonly Notification[],
    ) => {
      const filters = await listFiltersOf(db.read, user, "notifications");
      return matchNotifications(db.read, user, filters, notifications);
    },
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
    /** Deletes the user's notifications of what anybody on that host did. */
    forgetFrom: (tx: Tx, userId: UserId, host: string) =>
      deleteNotificationsFrom(tx, userId, host),
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
    /** Of everybody here, by age. */
    old: {
      list: (part: { above: number; before: Date }, limit: number) =>
        listOldNotifications(db.read, { ...part, now: clock.now() }, limit),
      /** @returns how many */
      remove: (ids: readonly NotificationId[], before: Date) =>
        db.transaction((tx) => deleteOldNotifications(tx, ids, before)),
    },
    markAllRead: (userId: UserId) =>
      db.transaction((tx) =>
        updateRead(tx, userId, "all", timestamp(clock.now())),
      ),
  };
}

function createGroups({ db, clock }: { db: Db; clock: Clock }) {
  const find = (user: NotificationOwner, key: string) =>
    findGroup(db, user, key);
  const get = async (user: NotificationOwner, key: string) => {
    const group = await find(user, key);
    if (!group) throw new KithError("not_found", "No such group.");
    return group;
  };
  return {
    /** Lists a page of groups, newest first. */
    list: (user: NotificationOwner, which: GroupSelection, page: Page) =>
      listNotificationGroups(db, user, which, page),
    /** Counts what is unread, of the newest 200 notifications that are. */
    countUnread: (user: NotificationOwner, which: GroupSelection) =>
      countUnreadGroups(db, user, which),
    find,
    /** The keys of the groups that notifications belong to. */
    listKeys: async (notifications: readonly Notification[]) =>
      listGroupKeys(
        notifications,
        await listGroupSubjects(db.read, notifications),
      ),
    /** Marks all of a group as read. @throws {KithError} `not_found` */
    markRead: async (user: NotificationOwner, key: string) => {
      const { notifications } = await get(user, key);
      await db.transaction(async (tx) => {
        for (const { id, unread } of notifications)
          if (unread)
            await updateRead(tx, user.userId, id, timestamp(clock.now()));
      });
      return get(user, key);
    },
  };
}
