import { Type } from "../../../lib/json-schema.ts";
import type { SignedIn } from "../../../features/accounts/index.ts";
import type { CalendarEvent, Events } from "../../../features/events/index.ts";
import type { EventId } from "../../../features/ids.ts";
import type {
  EventReminders,
  Reminders,
} from "../../../features/reminders/index.ts";
import { KithError } from "../../../lib/errors.ts";
import { findByIdOrGuid } from "../../kit/identifiers.ts";
import { apiRoute, NO_INPUT, type ApiRoute } from "../../kit/route.ts";
import type { WireRecord } from "../../schemas/records.ts";
import { one } from "../../schemas/schemas.ts";

const CHOICE = Type.Object({
  minutes: Type.Optional(
    Type.Array(Type.Integer({ minimum: 0, maximum: 40_320 }), {
      description:
        "How many minutes before it begins, or before its day, up to five times; absent for no reminder",
    }),
  ),
});

export type RemindersRoutesDeps = {
  readonly events: Pick<Events, "findVisible">;
  readonly reminders: Reminders;
};

/** When a user is reminded of one event. */
export function remindersRoutes(deps: RemindersRoutesDeps): ApiRoute[] {
  const { reminders } = deps;
  const path = "/calendar/events/:id/reminders";
  const show = async (user: SignedIn, event: CalendarEvent) =>
    present(await reminders.get(user, event));
  return [
    apiRoute({
      method: "GET",
      limit: "read",
      scope: "read:statuses",
      name: "showReminders",
      path,
      summary: "Shows when you are reminded of an event.",
      description:
        "By your choice for it, else by the alarms that your calendar program wrote, else by your settings. You are reminded of events of yours, of those to which you said to come, or maybe, and of others that you see if you choose a reminder for them.",
      input: NO_INPUT,
      output: one("Reminders"),
      handle: async ({ user, path: part }) =>
        show(user, await getEvent(deps, part("id"), user)),
    }),
    apiRoute({
      method: "PUT",
      limit: "write",
      scope: "write:statuses",
      name: "chooseReminders",
      path,
      summary: "Chooses when you are reminded of an event.",
      input: CHOICE,
      output: one("Reminders"),
      handle: async ({ user, input, path: part }) => {
        const event = await getEvent(deps, part("id"), user);
        await reminders.choose(user, event.id, input.minutes ?? []);
        return show(user, event);
      },
    }),
    apiRoute({
      method: "DELETE",
      limit: "write",
      scope: "write:statuses",
      name: "resetReminders",
      path,
      summary: "Has you reminded of an event as your settings say.",
      input: NO_INPUT,
      output: one("Reminders"),
      handle: async ({ user, path: part }) => {
        const event = await getEvent(deps, part("id"), user);
        await reminders.choose(user, event.id, null);
        return show(user, event);
      },
    }),
  ];
}

/** Gets an event that the user may see. @throws {KithError} `not_found` */
async function getEvent(
  { events }: RemindersRoutesDeps,
  identifier: string,
  user: SignedIn,
): Promise<CalendarEvent> {
  const event = await findByIdOrGuid<EventId, CalendarEvent>(
    identifier,
    (key) => events.findVisible(key, user),
  );
  if (!event) throw new KithError("not_found", "No such event.");
  return event;
}

function present({
  minutes,
  isChosen,
  isConcerned,
}: EventReminders): WireRecord {
  return { Minutes: minutes, Chosen: isChosen, Reminded: isConcerned };
}
