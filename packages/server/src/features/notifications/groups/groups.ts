import type { NotificationReason } from "../../../db/schema/columns/notification.ts";
import type { CommentId, NotificationId, PostId } from "../../ids.ts";
import type { Notification } from "../notification-store.ts";

/** The reasons whose notifications of one thing are grouped, each day anew. */
const GROUPED_REASONS = ["like", "reshare", "contact"] as const;

/** The thing that was liked or reshared. */
export type GroupSubject = {
  readonly type: "Post" | "Comment";
  /** Of one space for posts and comments. */
  readonly id: PostId | CommentId;
  readonly guid: string;
};

/** Notifications shown as one. */
export type NotificationGroup = {
  /** Such as `like-7-20000`: the reason, the id of the thing and the day; `single-9` for one. */
  readonly key: string;
  /** null where the notifications are about people, or not grouped. */
  readonly subject: GroupSubject | null;
  /** Newest first. */
  readonly notifications: readonly [Notification, ...Notification[]];
};

/** The things that were liked or reshared, by notification. */
export type GroupSubjects = ReadonlyMap<
  NotificationId,
  GroupSubject & { readonly isDislike: boolean }
>;

const DAY_MS = 86_400_000;

const isGroupedReason = (
  reason: NotificationReason,
): reason is (typeof GROUPED_REASONS)[number] =>
  GROUPED_REASONS.some((it) => it === reason);

function keyOf(
  { id, reason, createdAt }: Notification,
  subjects: GroupSubjects,
  grouped: readonly NotificationReason[],
): string {
  const subject = subjects.get(id);
  const isAlone =
    !isGroupedReason(reason) ||
    !grouped.includes(reason) ||
    (reason !== "contact" && subject === undefined);
  if (isAlone) return `single-${id}`;
  const day = Math.floor(Date.parse(createdAt) / DAY_MS);
  const word = subject?.isDislike ? "dislike" : reason;
  return subject === undefined
    ? `${word}-${day}`
    : `${word}-${subject.id}-${day}`;
}

/**
 * Groups notifications, newest first, up to a number of groups: the first notification that
 * does not fit ends the list, so that the next page begins with it.
 * @param grouped the reasons that are grouped, of those that can be
 */
export function groupNotifications(
  list: readonly Notification[],
  subjects: GroupSubjects,
  {
    grouped = GROUPED_REASONS,
    limit = Infinity,
  }: {
    readonly grouped?: readonly NotificationReason[] | undefined;
    readonly limit?: number;
  },
): NotificationGroup[] {
  const groups = new Map<string, [Notification, ...Notification[]]>();
  for (const notification of list) {
    const key = keyOf(notification, subjects, grouped);
    const group = groups.get(key);
    if (group) group.push(notification);
    else if (groups.size >= limit) break;
    else groups.set(key, [notification]);
  }
  return [...groups].map(([key, notifications]) => ({
    key,
    subject: key.startsWith("single-")
      ? null
      : (subjects.get(notifications[0].id) ?? null),
    notifications,
  }));
}

/** The key of the group of each notification. */
export const listGroupKeys = (
  list: readonly Notification[],
  subjects: GroupSubjects,
): Map<NotificationId, string> =>
  new Map(list.map((it) => [it.id, keyOf(it, subjects, GROUPED_REASONS)]));

const KEY = /^(single|like|dislike|reshare|contact)(?:-\d{1,16}){1,2}$/;

/** The thing that a key names: one notification, or the reason of a group. */
export function readGroupKey(
  key: string,
):
  | { readonly id: number }
  | { readonly reason: NotificationReason }
  | undefined {
  const word = KEY.exec(key)?.[1];
  switch (word) {
    case "single": {
      const id = Number(key.slice("single-".length));
      return Number.isSafeInteger(id) ? { id } : undefined;
    }
    case "like":
    case "dislike":
      return { reason: "like" };
    case "reshare":
    case "contact":
      return { reason: word };
    default:
      return undefined;
  }
}
