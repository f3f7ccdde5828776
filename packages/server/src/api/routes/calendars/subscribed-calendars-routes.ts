import type { Static } from "typebox";
import { readDatetime } from "../../../features/events/index.ts";
import type { SubscriptionId } from "../../../features/ids.ts";
import type {
  ReadElsewhere,
  SubscribedCalendars,
  SubscribedOccurrence,
  Subscription,
  SubscriptionFault,
} from "../../../features/subscribed-calendars/index.ts";
import { text } from "../../../http/input/input.ts";
import { KithError } from "../../../lib/errors.ts";
import type { Range } from "../../../lib/icalendar/occurrences.ts";
import { Type } from "../../../lib/json-schema.ts";
import { shiftedBy, timestamp, type Clock } from "../../../lib/time/clock.ts";
import { readIdOrNone } from "../../kit/identifiers.ts";
import { apiRoute, NO_INPUT, type ApiRoute } from "../../kit/route.ts";
import type { WireRecord } from "../../schemas/records.ts";
import { EMPTY, listOf, one } from "../../schemas/schemas.ts";
import { COLOR, presentColor } from "./look-input.ts";

const NAME = text("Your name for it; empty for the one that it gives itself");

const SUBSCRIBE = Type.Object({
  url: text("The address of the calendar: https or webcal"),
  name: NAME,
});

const LOOK = Type.Object({
  name: NAME,
  color: COLOR,
});

const RANGE = Type.Object({
  from: text("Leaves out what is over by then; now by default"),
  to: text(
    "Leaves out what begins then or later; 31 days after from by default",
  ),
});

export type SubscribedCalendarsRoutesDeps = {
  readonly subscribedCalendars: SubscribedCalendars;
  readonly readCalendar: ReadElsewhere;
  readonly clock: Clock;
};

const WORDS: Readonly<Record<SubscriptionFault, string>> = {
  blocked: "this server does not deal with its server",
  forbidden: "its server does not show it",
  gone: "nothing is there",
  no_calendar: "it is no calendar that can be understood",
  too_large: "it has more than 2 MB or 5,000 events",
  unreachable: "its server did not answer as it should",
};

const PATH = "/subscribed_calendars";

const idIn = (path: (name: string) => string) =>
  readIdOrNone(path("id")) as SubscriptionId;

/** Calendars of other servers that a user reads here. */
export function subscribedCalendarsRoutes(
  deps: SubscribedCalendarsRoutesDeps,
): ApiRoute[] {
  return [...allRoutes(deps), ...oneRoutes(deps)];
}

function allRoutes({
  subscribedCalendars,
  readCalendar,
  clock,
}: SubscribedCalendarsRoutesDeps): ApiRoute[] {
  return [
    apiRoute({
      method: "GET",
      limit: "read",
      scope: "undelegated",
      name: "listSubscribedCalendars",
      path: PATH,
      summary: "Lists the calendars of other servers that you read here.",
      input: NO_INPUT,
      output: listOf("SubscribedCalendar"),
      handle: async ({ user, page: { offset, limit } }) => {
        const all = await subscribedCalendars.list(user.userId);
        return all.slice(offset, offset + limit).map(present);
      },
    }),
    apiRoute({
      method: "POST",
      limit: "costly",
      scope: "undelegated",
      name: "subscribeToCalendar",
      path: PATH,
      summary: "Reads a calendar of another server, and subscribes to it.",
      description:
        "It is read again every six hours, or as often as it says itself, between an hour and a day. Nobody else sees it. You may have 20.",
      errors: [409],
      input: SUBSCRIBE,
      output: one("SubscribedCalendar"),
      handle: async ({ user, input: { url = "", name = "" } }) => {
        const given = { url, name };
        const { userId } = user;
        const found = await subscribedCalendars.subscribe(
          userId,
          given,
          readCalendar,
        );
        if (typeof found !== "string") return present(found);
        throw new KithError(
          "bad_request",
          `The parameter “url” must be the address of a calendar: ${WORDS[found]}.`,
        );
      },
    }),
    apiRoute({
      method: "GET",
      limit: "read",
      scope: "read:statuses",
      name: "listSubscribedEvents",
      path: "/subscribed_events",
      summary: "Lists the events of the calendars that you subscribe to.",
      description:
        "At most 300 events, and of each one that repeats up to 100 times.",
      input: RANGE,
      output: listOf("SubscribedEvent"),
      handle: async ({ user, input, page: { offset, limit } }) => {
        const range = rangeOf(input, clock);
        const { userId } = user;
        const all = await subscribedCalendars.listOccurrences(userId, range);
        return all.slice(offset, offset + limit).map(presentEvent);
      },
    }),
  ];
}

function oneRoutes({
  subscribedCalendars,
  readCalendar,
}: SubscribedCalendarsRoutesDeps): ApiRoute[] {
  return [
    apiRoute({
      method: "PUT",
      limit: "write",
      scope: "undelegated",
      name: "changeSubscribedCalendar",
      path: `${PATH}/:id`,
      summary: "Names a calendar that you subscribe to, or gives it a colour.",
      input: LOOK,
      output: one("SubscribedCalendar"),
      handle: async ({ user: { userId }, path, input }) =>
        present(await subscribedCalendars.change(userId, idIn(path), input)),
    }),
    apiRoute({
      method: "POST",
      limit: "costly",
      scope: "undelegated",
      name: "refreshSubscribedCalendar",
      path: `${PATH}/:id/refresh`,
      summary:
        "Reads a calendar that you subscribe to again, unless that was done a moment ago.",
      input: NO_INPUT,
      output: one("SubscribedCalendar"),
      handle: async ({ user: { userId }, path }) => {
        const id = idIn(path);
        await subscribedCalendars.refresh(userId, id, readCalendar);
        return present(await subscribedCalendars.get(userId, id));
      },
    }),
    apiRoute({
      method: "DELETE",
      limit: "write",
      scope: "undelegated",
      name: "unsubscribeFromCalendar",
      path: `${PATH}/:id`,
      summary: "Forgets a calendar that you subscribe to.",
      input: NO_INPUT,
      output: EMPTY,
      handle: async ({ user, path }) => {
        await subscribedCalendars.unsubscribe(user.userId, idIn(path));
        return {};
      },
    }),
  ];
}

const MONTH_MS = 31 * 86_400_000;

/** @throws {KithError} `invalid_datetime`, `bad_request` */
function rangeOf({ from, to }: Static<typeof RANGE>, clock: Clock): Range {
  const begin = from ? readDatetime(from, "from").instant : undefined;
  const end = to ? readDatetime(to, "to").instant : undefined;
  const first = begin ?? timestamp(clock.now());
  const range = { from: first, to: end ?? shiftedBy(first, MONTH_MS) };
  if (range.to < range.from)
    throw new KithError("bad_request", "The range ends before it starts.");
  return range;
}

function present(calendar: Subscription): WireRecord {
  const { fault, readAt } = calendar;
  return {
    ID: calendar.id,
    CreatedAt: calendar.createdAt,
    UpdatedAt: calendar.updatedAt,
    Name: calendar.name,
    ...presentColor(calendar),
    Url: calendar.url,
    ReadAt: readAt,
    DueAt: calendar.dueAt,
    ...(fault !== null && { Fault: fault }),
  };
}

function presentEvent({
  subscriptionId,
  uid,
  details,
}: SubscribedOccurrence): WireRecord {
  const { start, end, allDay, status } = details;
  return {
    SubscribedCalendarID: subscriptionId,
    Uid: uid,
    Start: start,
    ...(end !== null && (allDay ? { LastDay: end } : { End: end })),
    AllDay: allDay,
    Location: details.location,
    Description: details.description,
    Summary: details.summary,
    Timezone: details.timeZone,
    ...(status !== "confirmed" && { Status: status }),
  };
}
