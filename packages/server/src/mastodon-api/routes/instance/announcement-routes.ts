import type { Announcements } from "../../../features/announcements/index.ts";
import type { AnnouncementId } from "../../../features/ids.ts";
import { presentAnnouncement } from "../../entities/announcement.ts";
import { userRoute, type MastodonRoute } from "../../kit/mastodon-route.ts";
import type { MastodonDeps } from "../../loading/deps.ts";

type Deps = Pick<MastodonDeps, "site"> & {
  readonly announcements: Pick<
    Announcements,
    "dismiss" | "listCurrent" | "listReactions" | "react" | "unreact"
  >;
};

/** Programs read no pages of it. */
const ALL = { offset: 0, limit: 40 } as const;

/** Announcements to everybody on this server. */
export function announcementRoutes(deps: Deps): MastodonRoute[] {
  const { announcements, site } = deps;
  return [
    ...reactionRoutes(deps),
    userRoute({
      method: "GET",
      path: "/v1/announcements",
      scope: "any",
      limit: "read",
      handle: async ({ input, viewer }) => {
        const found = await announcements.listCurrent(viewer.userId, ALL);
        const isAll = input.flag("with_dismissed") === true;
        const shown = found.filter(({ isDismissed }) => isAll || !isDismissed);
        const ids = shown.map(({ id }) => id);
        const reactions = await announcements.listReactions(viewer.userId, ids);
        return shown.map((it) =>
          presentAnnouncement(site, it, reactions.get(it.id) ?? []),
        );
      },
    }),
    userRoute({
      method: "POST",
      path: "/v1/announcements/:id/dismiss",
      scope: "write:accounts",
      limit: "write",
      handle: async ({ id, viewer }) => {
        await announcements.dismiss(viewer.userId, id() as AnnouncementId);
        return {};
      },
    }),
  ];
}

function reactionRoutes({ announcements }: Deps): MastodonRoute[] {
  const route = (method: "DELETE" | "PUT"): MastodonRoute =>
    userRoute({
      method,
      path: "/v1/announcements/:id/reactions/:name",
      scope: "write:favourites",
      limit: "write",
      handle: async ({ id, path, viewer }) => {
        const act = announcements[method === "PUT" ? "react" : "unreact"];
        await act(viewer.userId, id() as AnnouncementId, path("name"));
        return {};
      },
    });
  return [route("PUT"), route("DELETE")];
}
