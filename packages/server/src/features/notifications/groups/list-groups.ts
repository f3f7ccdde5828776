import type { Db } from "../../../db/db.ts";
import type { NotificationReason } from "../../../db/schema/columns/notification.ts";
import type { Page } from "../../page.ts";
import { withoutHiddenNotifications } from "../filtered-notifications.ts";
import { listGroupSubjects } from "./group-queries.ts";
import {
  groupNotifications,
  readGroupKey,
  type NotificationGroup,
} from "./groups.ts";
import {
  listSomeNotifications,
  type NoticeSelection,
  type NotificationOwner,
} from "../notification-queries.ts";
import type { Notification } from "../notification-store.ts";

/** As many notifications are looked at for one page of groups. */
const MAX_LOOKED_AT = 200;

export type GroupSelection = NoticeSelection & {
  /** The reasons that are grouped; all that can be by default. */
  readonly grouped?: readonly NotificationReason[] | undefined;
};

/**
 * Lists a page of groups, newest first; its limit counts groups, and its offset, too. The
 * groups are those of the notifications of the page, so what is older is in groups of the
 * next one, which begins before the oldest notification of this.
 * @returns also whether it is the last page
 */
export async function listNotificationGroups(
  db: Db,
  user: NotificationOwner,
  which: GroupSelection,
  page: Page,
): Promise<{ groups: NotificationGroup[]; isLast: boolean }> {
  const isUpwards = page.after !== undefined && page.before === undefined;
  const limit = isUpwards ? page.limit : MAX_LOOKED_AT;
  const read = { ...page, offset: isUpwards ? page.offset : 0, limit };
  const found = await listSelected(db, user, which, read);
  const subjects = await listGroupSubjects(db.read, found);
  const { offset } = isUpwards ? { offset: 0 } : page;
  const groups = groupNotifications(found, subjects, {
    grouped: which.grouped,
    limit: offset + page.limit,
  });
  const shown = groups.flatMap(({ notifications }) => notifications).length;
  return {
    groups: groups.slice(offset),
    isLast: found.length < limit && shown === found.length,
  };
}

/** Counts what is unread, of the newest notifications that are. */
export async function countUnreadGroups(
  db: Db,
  user: NotificationOwner,
  which: GroupSelection,
): Promise<{ notifications: number; groups: number }> {
  const page = { offset: 0, limit: MAX_LOOKED_AT };
  const unread = { ...which, onlyUnread: true };
  const found = await listSelected(db, user, unread, page);
  const subjects = await listGroupSubjects(db.read, found);
  const { grouped } = which;
  const groups = groupNotifications(found, subjects, { grouped });
  return { notifications: found.length, groups: groups.length };
}

/** @returns undefined if none of the group is among the user's newest of its kind */
export async function findGroup(
  db: Db,
  user: NotificationOwner,
  key: string,
): Promise<NotificationGroup | undefined> {
  const named = readGroupKey(key);
  if (!named) return undefined;
  const list =
    "id" in named
      ? await findAlone(db, user, named.id)
      : await listSelected(
          db,
          user,
          { reasons: [named.reason], withDislikes: true },
          { offset: 0, limit: MAX_LOOKED_AT },
        );
  const subjects = await listGroupSubjects(db.read, list);
  const grouped = "id" in named ? [] : undefined;
  return groupNotifications(list, subjects, { grouped }).find(
    (group) => group.key === key,
  );
}

/** Finds one by its id, as a page that has room for it alone. */
const findAlone = (
  db: Db,
  user: NotificationOwner,
  id: number,
): Promise<Notification[]> =>
  listSomeNotifications(
    db.read,
    user,
    { withDislikes: true },
    { offset: 0, limit: 1, before: id + 1, after: id - 1 },
  );

const listSelected = (
  db: Db,
  user: NotificationOwner,
  which: NoticeSelection,
  page: Page,
) =>
  withoutHiddenNotifications(db.read, user, page, (part) =>
    listSomeNotifications(db.read, user, which, part),
  );
