import type { Static } from "typebox";
import type { SignedIn } from "../../../features/accounts/index.ts";
import {
  NOTIFYING_PEOPLE,
  type NotificationGroup,
  type NotificationKind,
} from "../../../features/notifications/index.ts";
import { flag } from "../../../http/input/input.ts";
import { Type } from "../../../lib/json-schema.ts";
import { apiRoute, NO_INPUT, type ApiRoute } from "../../kit/route.ts";
import { presentFiltered } from "../../schemas/filter-records.ts";
import {
  presentChoices,
  presentGroup,
} from "../../schemas/notification-records.ts";
import type { WireRecord } from "../../schemas/records.ts";
import { listOf, one } from "../../schemas/schemas.ts";
import type { NotificationsRoutesDeps } from "./notifications-routes.ts";

const LIST = Type.Object({ unread: flag("Only what has not been read") });

/** Notifications in groups by what they are about. */
export function notificationGroupsRoutes(
  deps: NotificationsRoutesDeps,
): ApiRoute[] {
  const { groups } = deps.notifications;
  return [
    apiRoute({
      method: "GET",
      limit: "read",
      scope: "read:notifications",
      name: "listNotificationGroups",
      path: "/notifications/groups",
      summary: "Lists your notifications in groups, newest first.",
      description:
        "Likes of one thing, reshares of one post and new followers are one group for each day (UTC). limit and offset count groups, of the newest 200 notifications of the page; go on with before and the smallest OldestID.",
      input: LIST,
      output: listOf("NotificationGroup"),
      handle: async ({ user, input, page }) => {
        const which = { withDislikes: true, onlyUnread: input.unread ?? false };
        const found = await groups.list(user, which, page);
        return present(deps, found.groups, user);
      },
    }),
    apiRoute({
      method: "GET",
      limit: "read",
      scope: "read:notifications",
      name: "countUnreadNotifications",
      path: "/notifications/unread",
      summary: "Counts your unread notifications and their groups.",
      input: NO_INPUT,
      output: one("UnreadNotifications"),
      handle: async ({ user }) => {
        const unread = await groups.countUnread(user, { withDislikes: true });
        return { Notifications: unread.notifications, Groups: unread.groups };
      },
    }),
    apiRoute({
      method: "PUT",
      limit: "write",
      scope: "write:notifications",
      name: "markNotificationGroupRead",
      path: "/notifications/groups/:key",
      summary: "Marks the notifications of a group as read.",
      input: NO_INPUT,
      output: one("NotificationGroup"),
      handle: async ({ user, path }) => {
        const group = await groups.markRead(user, path("key"));
        return (await present(deps, [group], user))[0];
      },
    }),
    ...choicesRoutes(deps),
  ];
}

async function present(
  { notifications, people }: NotificationsRoutesDeps,
  groups: readonly NotificationGroup[],
  user: SignedIn,
): Promise<WireRecord[]> {
  const all = groups.flatMap((group) => group.notifications);
  const newest = groups.map((group) => group.notifications[0]);
  const who = await people.listById(all.map(({ personId }) => personId));
  const filtered = await notifications.listMatches(user, newest);
  return groups.map((group) => ({
    ...presentGroup(group, who),
    ...presentFiltered(filtered.get(group.notifications[0].id)),
  }));
}

const senders = (description: string) =>
  Type.Optional(
    Type.Unsafe<(typeof NOTIFYING_PEOPLE)[number]>({
      ...{ type: "string", enum: [...NOTIFYING_PEOPLE], description },
    }),
  );

const CHANGES = Type.Object({
  comment: senders("Whose comments on posts of yours, and answers to comments"),
  mention: senders("Whose mentions of you, and quotes of your posts"),
  message: senders("Whose messages in private conversations"),
  like: senders("Whose likes of what you wrote"),
  reshare: senders("Whose reshares of your posts"),
  follower: senders("Who shares with you from now on"),
  follow_request: senders("Who asks to follow you"),
  event: senders("Whose invitations, changes of events, and answers to yours"),
  poll: senders("Whose polls have ended, if you voted; not nobody: yours, too"),
  edit: senders("Whose edits of posts that you reshared"),
  drop_not_following: flag("Nothing of people whom you do not follow"),
  drop_not_followers: flag("Nothing of people who do not follow you"),
  drop_new_people: flag(
    "Nothing of people known here for less than 30 days, unless you follow them",
  ),
  drop_private_messages: flag(
    "No messages of people whom you do not follow, where you have written none",
  ),
});

function choicesRoutes({ notifications }: NotificationsRoutesDeps): ApiRoute[] {
  const { choices } = notifications;
  return [
    apiRoute({
      method: "GET",
      limit: "read",
      scope: "read:notifications",
      name: "showNotificationChoices",
      path: "/notifications/choices",
      summary: "Shows of what and by whom you are notified.",
      input: NO_INPUT,
      output: one("NotificationChoices"),
      handle: async ({ user }) =>
        presentChoices(await choices.get(user.userId)),
    }),
    apiRoute({
      method: "PUT",
      limit: "write",
      scope: "write:notifications",
      name: "changeNotificationChoices",
      path: "/notifications/choices",
      summary: "Changes the given choices, for what happens from now on.",
      description:
        "following: people whom you follow. Of contacts that moved and refused follows you are always notified.",
      input: CHANGES,
      output: one("NotificationChoices"),
      handle: async ({ user, input }) =>
        presentChoices(await choices.change(user.userId, readChanges(input))),
    }),
  ];
}

function readChanges(input: Static<typeof CHANGES>) {
  const { comment, mention, message, like, reshare, follower } = input;
  const { follow_request, event, poll, edit } = input;
  const chosen = { comment, mention, message, like, reshare, follower };
  return {
    senders: withoutAbsent<NotificationKind, Senders>({
      ...chosen,
      follow_request,
      event,
      poll,
      edit,
    }),
    dropped: withoutAbsent({
      not_following: input.drop_not_following,
      not_followers: input.drop_not_followers,
      new_people: input.drop_new_people,
      private_messages: input.drop_private_messages,
    }),
  };
}

type Senders = (typeof NOTIFYING_PEOPLE)[number];

function withoutAbsent<K extends string, V>(
  values: Readonly<Record<K, V | undefined>>,
): Partial<Record<K, V>> {
  const given: Partial<Record<K, V>> = {};
  for (const name in values)
    if (values[name] !== undefined) given[name] = values[name];
  return given;
}
