import { Type } from "../../../lib/json-schema.ts";
import type { Calendar, Calendars } from "../../../features/calendars/index.ts";
import type { Events } from "../../../features/events/index.ts";
import type { CalendarId } from "../../../features/ids.ts";
import { text } from "../../../http/input/input.ts";
import { readIdOrNone } from "../../kit/identifiers.ts";
import type { WireRecord } from "../../schemas/records.ts";
import { apiRoute, NO_INPUT, type ApiRoute } from "../../kit/route.ts";
import { EMPTY, listOf, one } from "../../schemas/schemas.ts";
import { COLOR, presentColor } from "./look-input.ts";

const LOOK = Type.Object({
  name: text("The name of the calendar"),
  color: COLOR,
});

export type CalendarsRoutesDeps = {
  readonly calendars: Calendars;
  readonly events: Events;
};

export function calendarsRoutes({
  calendars,
  events,
}: CalendarsRoutesDeps): ApiRoute[] {
  const idIn = (path: (name: string) => string) =>
    readIdOrNone(path("id")) as CalendarId;
  return [
    apiRoute({
      method: "GET",
      limit: "read",
      scope: "read:statuses",
      name: "listCalendars",
      path: "/calendar",
      summary: "Lists your calendars, newest first.",
      input: NO_INPUT,
      output: listOf("Calendar"),
      handle: async ({ user, page }) =>
        (await calendars.list(user.userId, page)).map(presentCalendar),
    }),
    apiRoute({
      method: "POST",
      limit: "write",
      scope: "write:statuses",
      name: "createCalendar",
      path: "/calendar",
      summary: "Creates a calendar.",
      input: LOOK,
      needs: ["name"],
      output: one("Calendar"),
      handle: async ({ user, input: { name, color } }) =>
        presentCalendar(await calendars.create(user.userId, name, color)),
    }),
    apiRoute({
      method: "GET",
      limit: "read",
      scope: "read:statuses",
      name: "showCalendar",
      path: "/calendar/:id",
      summary: "Shows one of your calendars.",
      input: NO_INPUT,
      output: one("Calendar"),
      handle: async ({ user, path }) =>
        presentCalendar(await calendars.get(user.userId, idIn(path))),
    }),
    apiRoute({
      method: "PUT",
      limit: "write",
      scope: "write:statuses",
      name: "changeCalendar",
      path: "/calendar/:id",
      summary: "Renames a calendar, or gives it a colour.",
      input: LOOK,
      needs: [["name", "color"]],
      output: one("Calendar"),
      handle: async ({ user, path, input }) =>
        presentCalendar(await calendars.change(user.userId, idIn(path), input)),
    }),
    apiRoute({
      method: "DELETE",
      limit: "write",
      scope: "write:statuses",
      name: "deleteCalendar",
      path: "/calendar/:id",
      summary:
        "Deletes a calendar and all events in it, each with your posts that have it.",
      input: NO_INPUT,
      output: EMPTY,
      handle: async ({ user, path }) => {
        await events.removeCalendar(user, idIn(path));
        return {};
      },
    }),
  ];
}

function presentCalendar(calendar: Calendar): WireRecord {
  return {
    ID: calendar.id,
    CreatedAt: calendar.createdAt,
    UpdatedAt: calendar.updatedAt,
    Name: calendar.name,
    UserID: calendar.userId,
    Default: calendar.isDefault,
    ...presentColor(calendar),
  };
}
