import type {
  Announcement,
  Announcements,
} from "../../../features/announcements/index.ts";
import type { AnnouncementId } from "../../../features/ids.ts";
import { text } from "../../../http/input/input.ts";
import { Type } from "../../../lib/json-schema.ts";
import { readIdOrNone } from "../../kit/identifiers.ts";
import { apiRoute, NO_INPUT, type ApiRoute } from "../../kit/route.ts";
import type { WireRecord } from "../../schemas/records.ts";
import { EMPTY, listOf, one } from "../../schemas/schemas.ts";

export type AnnouncementsRoutesDeps = { readonly announcements: Announcements };

const NEW = Type.Object({
  text: text("What is announced, in Markdown: at most 5,000 characters"),
  starts_at: text("When what it is about begins, as in RFC 3339"),
  ends_at: text("When that ends: the announcement is shown until then"),
});

/** Announcements to everybody on this server. */
export function announcementsRoutes({
  announcements,
}: AnnouncementsRoutesDeps): ApiRoute[] {
  const idOf = (part: string) => readIdOrNone(part) as AnnouncementId;
  return [
    apiRoute({
      method: "GET",
      limit: "read",
      scope: "read",
      name: "listAnnouncements",
      path: "/announcements",
      summary: "Lists the announcements that have not ended, newest first.",
      input: NO_INPUT,
      output: listOf("Announcement"),
      handle: async ({ user, page }) =>
        (await announcements.listCurrent(user.userId, page)).map((it) => ({
          ...present(it),
          Dismissed: it.isDismissed,
        })),
    }),
    apiRoute({
      method: "POST",
      limit: "write",
      scope: "write:accounts",
      name: "dismissAnnouncement",
      path: "/announcements/:id/dismiss",
      summary: "Puts an announcement away.",
      input: NO_INPUT,
      output: EMPTY,
      handle: async ({ user, path }) => {
        await announcements.dismiss(user.userId, idOf(path("id")));
        return {};
      },
    }),
    apiRoute({
      method: "GET",
      forRole: "admin",
      limit: "read",
      scope: "admin:read",
      name: "listAllAnnouncements",
      path: "/admin/announcements",
      summary: "Lists all announcements, newest first.",
      input: NO_INPUT,
      output: listOf("MadeAnnouncement"),
      handle: async ({ page }) => (await announcements.list(page)).map(present),
    }),
    apiRoute({
      method: "POST",
      forRole: "admin",
      limit: "write",
      scope: "admin:write",
      name: "publishAnnouncement",
      path: "/admin/announcements",
      summary: "Announces something to everybody on this server.",
      input: NEW,
      needs: ["text"],
      output: one("MadeAnnouncement"),
      handle: async ({ user, input }) =>
        present(
          await announcements.publish(user, {
            text: input.text,
            startsAt: input.starts_at,
            endsAt: input.ends_at,
          }),
        ),
    }),
    apiRoute({
      method: "DELETE",
      forRole: "admin",
      limit: "write",
      scope: "admin:write",
      name: "withdrawAnnouncement",
      path: "/admin/announcements/:id",
      summary: "Withdraws an announcement.",
      input: NO_INPUT,
      output: EMPTY,
      handle: async ({ user, path }) => {
        await announcements.withdraw(user, idOf(path("id")));
        return {};
      },
    }),
  ];
}

function present({
  id,
  text: announced,
  startsAt,
  endsAt,
  createdAt,
}: Announcement): WireRecord {
  return {
    ...{ ID: id, Text: announced, CreatedAt: createdAt },
    ...{ StartsAt: startsAt, EndsAt: endsAt },
  };
}
