import { Type } from "../../../lib/json-schema.ts";
import type {
  Notification,
  Notifications,
} from "../../../features/notifications/index.ts";
import type { SignedIn } from "../../../features/accounts/index.ts";
import type { NotificationId } from "../../../features/ids.ts";
import type { People } from "../../../features/people/index.ts";
import { flag } from "../../../http/input/input.ts";
import { readIdOrNone } from "../../kit/identifiers.ts";
import { presentFiltered } from "../../schemas/filter-records.ts";
import { presentNotification } from "../../schemas/notification-records.ts";
import type { WireRecord } from "../../schemas/records.ts";
import { apiRoute, NO_INPUT, type ApiRoute } from "../../kit/route.ts";
import { EMPTY, listOf, one } from "../../schemas/schemas.ts";

const LIST = Type.Object({ unread: flag("Only what has not been read") });

export type NotificationsRoutesDeps = {
  readonly notifications: Notifications;
  readonly people: People;
};

export function notificationsRoutes(deps: NotificationsRoutesDeps): ApiRoute[] {
  const { notifications } = deps;
  return [
    apiRoute({
      method: "GET",
      limit: "read",
      scope: "read:notifications",
      name: "listNotifications",
      path: "/notifications",
      summary: "Lists your notifications, newest first.",
      input: LIST,
      output: listOf("Notification"),
      handle: async ({ user, input, page }) => {
        const onlyUnread = input.unread ?? false;
        const list = await notifications.list(user, onlyUnread, page);
        return present(deps, list, user);
      },
    }),
    apiRoute({
      method: "GET",
      limit: "read",
      scope: "read:notifications",
      name: "showNotification",
      path: "/notifications/:id",
      summary: "Shows a notification.",
      input: NO_INPUT,
      output: one("Notification"),
      handle: async ({ user, path }) => {
        const id = readIdOrNone(path("id")) as NotificationId;
        const found = await notifications.get(user, id);
        return (await present(deps, [found], user))[0];
      },
    }),
    apiRoute({
      method: "PUT",
      limit: "write",
      scope: "write:notifications",
      name: "markNotificationRead",
      path: "/notifications/:id",
      summary: "Marks a notification as read.",
      input: NO_INPUT,
      output: one("Notification"),
      handle: async ({ user, path }) => {
        const id = readIdOrNone(path("id")) as NotificationId;
        const found = await notifications.markRead(user, id);
        return (await present(deps, [found], user))[0];
      },
    }),
    apiRoute({
      method: "PUT",
      limit: "write",
      scope: "write:notifications",
      name: "markAllNotificationsRead",
      path: "/notifications",
      summary: "Marks all notifications as read.",
      input: NO_INPUT,
      output: EMPTY,
      handle: async ({ user }) => {
        await notifications.markAllRead(user.userId);
        return {};
      },
    }),
  ];
}

async function present(
  { notifications, people }: NotificationsRoutesDeps,
  list: readonly Notification[],
  user: SignedIn,
): Promise<WireRecord[]> {
  const who = await people.listById(list.map(({ personId }) => personId));
  const filtered = await notifications.listMatches(user, list);
  return list.map((notification) => ({
    ...presentNotification(notification, who.get(notification.personId)),
    ...presentFiltered(filtered.get(notification.id)),
  }));
}
