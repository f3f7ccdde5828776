import type { SignedIn } from "../../../features/accounts/index.ts";
import type { NotificationGroup } from "../../../features/notifications/index.ts";
import {
  groupedReasons,
  presentNoticeGroup,
  fromGroupKey,
  toGroupKey,
  type LoadedNotice,
} from "../../entities/notification.ts";
import type { Input } from "../../kit/input.ts";
import { userRoute, type MastodonRoute } from "../../kit/mastodon-route.ts";
import { OF_ACCOUNTS, readAskedPage } from "../../kit/paging.ts";
import { notFound } from "../../kit/refusals.ts";
import type { Entity } from "../../kit/wire.ts";
import type { MastodonDeps } from "../../loading/deps.ts";
import { loadClientNotices } from "../../loading/load-notices.ts";
import { readSelection } from "./notification-routes.ts";

/** A group of the feature with what clients see of it: some may be left out. */
type Groups = readonly (readonly [string, readonly LoadedNotice[]])[];

/** Notifications in groups by what they are about. */
export function groupedRoutes(deps: MastodonDeps): MastodonRoute[] {
  const { groups } = deps.notifications;
  return [
    userRoute({
      method: "GET",
      path: "/v2/notifications",
      scope: "read:notifications",
      limit: "read",
      handle: async ({ input, link, viewer }) => {
        const page = readAskedPage(input, OF_ACCOUNTS);
        const which = readGroupSelection(input);
        const found = await groups.list(viewer, which, page);
        const ids = found.groups
          .flatMap(({ notifications }) => notifications)
          .map(({ id }) => id as number)
          .toSorted((a, b) => b - a);
        link(page, ids, found.isLast);
        return presentGroups(await loadGroups(deps, found.groups, viewer));
      },
    }),
    userRoute({
      method: "GET",
      path: "/v2/notifications/unread_count",
      scope: "read:notifications",
      limit: "read",
      handle: async ({ input, viewer }) => {
        const which = readGroupSelection(input);
        return { count: (await groups.countUnread(viewer, which)).groups };
      },
    }),
    ...groupRoutes(deps),
  ];
}

function groupRoutes(deps: MastodonDeps): MastodonRoute[] {
  const path = "/v2/notifications/:id";
  return [
    userRoute({
      method: "GET",
      path,
      scope: "read:notifications",
      limit: "read",
      handle: async ({ path: part, viewer }) =>
        presentGroups([[part("id"), await getGroup(deps, viewer, part("id"))]]),
    }),
    userRoute({
      method: "GET",
      path: `${path}/accounts`,
      scope: "read:notifications",
      limit: "read",
      handle: async ({ path: part, viewer }) =>
        accountsOf(await getGroup(deps, viewer, part("id"))),
    }),
    userRoute({
      method: "POST",
      path: `${path}/dismiss`,
      scope: "write:notifications",
      limit: "write",
      handle: async ({ path: part, viewer }) => {
        for (const { notification } of await getGroup(deps, viewer, part("id")))
          await deps.notifications.remove(viewer, notification.id);
        return {};
      },
    }),
  ];
}

const readGroupSelection = (input: Input) => ({
  ...readSelection(input),
  grouped: groupedReasons(
    input.has("grouped_types") ? input.texts("grouped_types") : undefined,
  ),
});

async function loadGroups(
  deps: MastodonDeps,
  groups: readonly NotificationGroup[],
  user: SignedIn,
): Promise<Groups> {
  const all = groups.flatMap(({ notifications }) => notifications);
  const notices = await loadClientNotices(deps, all, user);
  const byId = new Map(notices.map((it) => [it.notification.id, it]));
  return groups.map(({ key, notifications }) => [
    toGroupKey(key),
    notifications.flatMap(({ id }) => byId.get(id) ?? []),
  ]);
}

function accountsOf(notices: readonly LoadedNotice[]): Entity[] {
  const all = notices.map(({ account }) => account);
  return [...new Map(all.map((account) => [account["id"], account])).values()];
}

function presentGroups(groups: Groups): Entity {
  const notices = groups.flatMap(([, group]) => group);
  const statuses = notices
    .map(({ status }) => status)
    .filter((status) => status !== null);
  return {
    accounts: accountsOf(notices),
    statuses: [...new Map(statuses.map((it) => [it["id"], it])).values()],
    notification_groups: groups.flatMap(([key, [first, ...others]]) =>
      first ? [presentNoticeGroup(key, [first, ...others])] : [],
    ),
  };
}

/**
 * Finds a group by its key.
 * @throws {KithError} `not_found` if clients see nothing of it
 */
async function getGroup(
  deps: MastodonDeps,
  user: SignedIn,
  key: string,
): Promise<readonly LoadedNotice[]> {
  const { groups } = deps.notifications;
  const group = await groups.find(user, fromGroupKey(key));
  if (!group) throw notFound();
  const notices = await loadClientNotices(deps, group.notifications, user);
  if (notices.length === 0) throw notFound();
  return notices;
}
