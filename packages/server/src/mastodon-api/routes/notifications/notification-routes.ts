import type { SignedIn } from "../../../features/accounts/index.ts";
import type { NotificationId, PersonId } from "../../../features/ids.ts";
import type { Notification } from "../../../features/notifications/index.ts";
import {
  presentNotice,
  reasonsOf,
  typeOf,
} from "../../entities/notification.ts";
import type { Input } from "../../kit/input.ts";
import { userRoute, type MastodonRoute } from "../../kit/mastodon-route.ts";
import { OF_ACCOUNTS, readAskedPage } from "../../kit/paging.ts";
import { notFound } from "../../kit/refusals.ts";
import type { MastodonDeps } from "../../loading/deps.ts";
import { loadClientNotices } from "../../loading/load-notices.ts";

/** Which notifications a call asks for. */
export function readSelection(input: Input) {
  const by = input.id("account_id");
  const types = [...input.texts("types"), ...input.texts("include_types")];
  return {
    reasons: reasonsOf(types, input.texts("exclude_types")),
    by: by === undefined ? undefined : (by as PersonId),
  };
}

/** Notifications one by one. */
export function notificationListRoutes(deps: MastodonDeps): MastodonRoute[] {
  const { notifications } = deps;
  return [
    userRoute({
      method: "GET",
      path: "/v1/notifications",
      scope: "read:notifications",
      limit: "read",
      handle: async ({ input, link, viewer }) => {
        const page = readAskedPage(input, OF_ACCOUNTS);
        const selection = readSelection(input);
        const found = await notifications.listSome(viewer, selection, page);
        link(
          page,
          found.map(({ id }) => id),
        );
        const notices = await loadClientNotices(deps, found, viewer);
        return notices.map(presentNotice);
      },
    }),
    userRoute({
      method: "GET",
      path: "/v1/notifications/unread_count",
      scope: "read:notifications",
      limit: "read",
      handle: async ({ input, viewer }) => ({
        count: (await listUnread(deps, viewer, input)).length,
      }),
    }),
    userRoute({
      method: "GET",
      path: "/v1/notifications/:id",
      scope: "read:notifications",
      limit: "read",
      handle: async ({ id, viewer }) => {
        const found = await getListed(deps, viewer, id());
        const [notice] = await loadClientNotices(deps, [found], viewer);
        if (!notice) throw notFound();
        return presentNotice(notice);
      },
    }),
    ...dismissRoutes(deps),
  ];
}

function dismissRoutes(deps: MastodonDeps): MastodonRoute[] {
  const { notifications } = deps;
  return [
    userRoute({
      method: "POST",
      path: "/v1/notifications/clear",
      scope: "write:notifications",
      limit: "write",
      handle: async ({ viewer }) => {
        await notifications.removeAll(viewer.userId);
        return {};
      },
    }),
    userRoute({
      method: "POST",
      path: "/v1/notifications/:id/dismiss",
      scope: "write:notifications",
      limit: "write",
      handle: async ({ id, viewer }) => {
        const found = await getListed(deps, viewer, id());
        await notifications.remove(viewer, found.id);
        return {};
      },
    }),
    userRoute({
      method: "GET",
      path: "/v1/notifications/requests",
      scope: "read:notifications",
      limit: "read",
      // Nothing is held back here.
      handle: async () => [],
    }),
    userRoute({
      method: "GET",
      path: "/v1/notifications/requests/merged",
      scope: "read:notifications",
      limit: "read",
      handle: async () => ({ merged: true }),
    }),
  ];
}

/** @throws {KithError} `not_found`, also for one of which clients know nothing */
async function getListed(
  { notifications }: MastodonDeps,
  user: SignedIn,
  id: number,
): Promise<Notification> {
  const found = await notifications.find(user, id as NotificationId);
  if (!found || typeOf(found.reason) === undefined) throw notFound();
  return found;
}

const MOST_UNREAD = { usual: 100, most: 1_000 };

/** Those after the marker of the user that are unread, up to the limit. */
async function listUnread(
  { notifications }: MastodonDeps,
  user: SignedIn,
  input: Input,
): Promise<Notification[]> {
  const { limit } = readAskedPage(input, MOST_UNREAD);
  const page = { offset: 0, limit };
  const found = await notifications.listSome(user, readSelection(input), page);
  return found.filter(({ unread }) => unread);
}
