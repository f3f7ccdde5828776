import type { Static } from "typebox";
import { Type } from "../../../lib/json-schema.ts";
import type { SignedIn } from "../../../features/accounts/index.ts";
import {
  rulesBudget,
  type CalendarEvent,
  type Events,
} from "../../../features/events/index.ts";
import type { AspectId, CalendarId, EventId } from "../../../features/ids.ts";
import {
  PARTICIPATION_STATUSES,
  type ParticipationStatus,
} from "../../../features/participations/index.ts";
import { flag, text, uint } from "../../../http/input/input.ts";
import { KithError } from "../../../lib/errors.ts";
import { findByIdOrGuid } from "../../kit/identifiers.ts";
import {
  presentEvents,
  presentEventVersion,
  type PresentEventsDeps,
} from "../../presenters/present-events.ts";
import {
  presentParticipation,
  type WireRecord,
} from "../../schemas/records.ts";
import { apiRoute, NO_INPUT, type ApiRoute } from "../../kit/route.ts";
import { EMPTY, listOf, one } from "../../schemas/schemas.ts";
import {
  AUDIENCE_INPUT,
  contradiction,
  missingFor,
  readAudience,
} from "../../kit/audience-input.ts";
import { readVisibility, VISIBILITY } from "../../kit/visibility.ts";

const EVENT = Type.Object({
  start: text(
    "When it begins: RFC 3339, or a date alone; without an offset it is local in the given timezone, else UTC",
  ),
  end: text(
    "When it ends, written like the start; of an event that lasts all day it does not count",
  ),
  all_day: flag("Does it last all day?"),
  summary: text("What it is called"),
  description: text("What it is about, in Markdown"),
  location: text("Where it takes place"),
  timezone: text("The IANA name of its time zone; else the user's"),
  capacity: uint(
    "How many people can come, the whole of a series; 0 for as many as want to",
  ),
  approval: flag(
    "Do you confirm each guest? Until then a guest does not come; the present ones remain",
  ),
  calendarID: uint("A calendar of the user's; 0 for none"),
  aspectID: uint("The aspect that alone gets the event; 0 for everyone"),
  announce: flag("Without an announcement it is the user's alone"),
  recurrence: text(
    "How it repeats: the value of an RRULE (RFC 5545); empty for an event that takes place once",
  ),
  exdates: text(
    "When it does not take place, though its rule says so: the At of occurrences, with commas between; empty for none",
  ),
});

const CHANGE = Type.Object({
  ...EVENT.properties,
  occurrence: text(
    "The At of an occurrence: the given details change it alone",
  ),
  cancelled: flag("Of an occurrence: is it cancelled?"),
});

const CREATE = Type.Object({ ...EVENT.properties, ...AUDIENCE_INPUT });

const LIST = Type.Object({
  visibility: VISIBILITY,
  calendarID: uint("A calendar of the user's; 0 for all events"),
  from: text("Leaves out what is over by then"),
  to: text("Leaves out what begins then or later"),
});

const ANSWER = Type.Object({
  status: Type.Optional(
    Type.String({
      enum: [...PARTICIPATION_STATUSES],
      description: "Does the user come?",
    }),
  ),
});

export type EventsRoutesDeps = PresentEventsDeps & {
  readonly events: Events;
};

export function eventsRoutes(deps: EventsRoutesDeps): ApiRoute[] {
  return [...allEvents(deps), ...oneEvent(deps), answers(deps)];
}

function allEvents(deps: EventsRoutesDeps): ApiRoute[] {
  const { events } = deps;
  return [
    apiRoute({
      method: "GET",
      limit: "read",
      scope: "read:statuses",
      name: "listEvents",
      path: "/calendar/events",
      summary: "Lists events by their start.",
      input: LIST,
      output: listOf("Event"),
      handle: async ({ user, input, page }) => {
        const { calendarID = 0, from, to } = input;
        const calendarId =
          calendarID > 0 ? (calendarID as CalendarId) : undefined;
        const visibility = readVisibility(input.visibility);
        const wanted = { visibility, calendarId, from, to };
        const budget = rulesBudget();
        return presentEvents(
          deps,
          await events.list(user, wanted, page),
          user.personId,
          (event) => events.listOccurrences(event, { from, to }, budget),
        );
      },
    }),
    apiRoute({
      method: "POST",
      limit: "write",
      scope: "write:statuses",
      name: "createEvent",
      path: "/calendar/events",
      summary: "Creates an event and announces it.",
      input: CREATE,
      needs: [{ name: "start", error: "invalid_datetime" }],
      example: {
        summary: "Picnic",
        start: "2027-07-04T18:30",
        end: "2027-07-04T21:00",
        timezone: "Europe/Berlin",
      },
      output: one("Event"),
      handle: async ({ user, input }) => {
        const { calendarID = 0 } = input;
        const event = await events.create({
          ...readTyped(input),
          owner: user,
          ...(calendarID > 0 && { calendarId: calendarID as CalendarId }),
          audience: await readAudienceOfEvent(deps, input),
          announce: input.announce ?? true,
        });
        return present(deps, event, user);
      },
    }),
  ];
}

function oneEvent(deps: EventsRoutesDeps): ApiRoute[] {
  const { events } = deps;
  const path = "/calendar/events/:id";
  return [
    apiRoute({
      method: "GET",
      limit: "read",
      scope: "read:statuses",
      name: "showEvent",
      path,
      summary: "Shows an event.",
      input: NO_INPUT,
      output: one("Event"),
      handle: async (call) =>
        present(
          deps,
          await getEvent(deps, call.path("id"), call.user),
          call.user,
        ),
    }),
    apiRoute({
      method: "GET",
      limit: "read",
      scope: "read:statuses",
      name: "listEventVersions",
      path: `${path}/history`,
      summary: "Lists the earlier versions of an event, newest first.",
      input: NO_INPUT,
      output: listOf("EventVersion"),
      handle: async ({ user, path: part, page }) => {
        const { id } = await getEvent(deps, part("id"), user);
        const versions = await events.listVersions(id, page);
        return versions.map(presentEventVersion);
      },
    }),
    apiRoute({
      method: "PUT",
      limit: "write",
      scope: "write:statuses",
      name: "changeEvent",
      path,
      summary: "Changes the given details of your event.",
      input: CHANGE,
      output: one("Event"),
      handle: async ({ user, input, path: part }) => {
        const { id } = await getEvent(deps, part("id"), user);
        const { announce, occurrence, cancelled: isCancelled } = input;
        const changes = {
          ...{ ...readTyped(input), ...readPlaces(input) },
          ...{ announce, occurrence, isCancelled },
        };
        return present(deps, await events.change(user, { id }, changes), user);
      },
    }),
    apiRoute({
      method: "DELETE",
      limit: "write",
      scope: "write:statuses",
      name: "deleteEvent",
      path,
      summary:
        "Deletes your event, with each post of yours that has it and all answers.",
      input: NO_INPUT,
      output: EMPTY,
      handle: async ({ user, path: part }) => {
        const { id } = await getEvent(deps, part("id"), user);
        await events.remove(user, { id });
        return {};
      },
    }),
  ];
}

function answers(deps: EventsRoutesDeps): ApiRoute {
  const { people, participations } = deps;
  return apiRoute({
    method: "PUT",
    limit: "write",
    scope: "write:statuses",
    name: "answerEvent",
    path: "/calendar/events/:id/participation",
    summary: "Says whether you are coming to an event.",
    input: ANSWER,
    needs: ["status"],
    output: one("Participation"),
    handle: async ({ user, input, path }) => {
      const { id } = await getEvent(deps, path("id"), user);
      const status = input.status as ParticipationStatus;
      const answer = await participations.answer(user, { id }, status);
      const person = await people.find({ id: answer.personId });
      return presentParticipation(answer, person);
    },
  });
}

/** Gets an event that the user may see. @throws {KithError} `not_found` */
export async function getEvent(
  { events }: Pick<EventsRoutesDeps, "events">,
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

async function present(
  deps: EventsRoutesDeps,
  event: CalendarEvent,
  { personId }: SignedIn,
): Promise<WireRecord> {
  const [record] = await presentEvents(deps, [event], personId);
  if (!record) throw new Error("The event cannot be presented");
  return record;
}

/** An event has no text that mentions people, and no default audience. */
async function readAudienceOfEvent(
  deps: Pick<EventsRoutesDeps, "people">,
  input: Static<typeof CREATE>,
) {
  const audience = await readAudience(deps, input);
  if (audience?.kind === "unlisted")
    throw contradiction(
      "audience",
      "unlisted for an event, which has a date in lists",
    );
  if (audience?.kind === "mentioned") throw missingFor("personID", "people");
  return audience ?? ({ kind: "everyone" } as const);
}

function readTyped(
  input: Omit<Static<typeof EVENT>, "aspectID" | "calendarID">,
) {
  const { start, end, summary, description, location, capacity } = input;
  const { all_day: allDay, timezone: timeZone } = input;
  return {
    ...{ start, end, allDay, summary, description, location, timeZone },
    capacity,
    needsApproval: input.approval,
    recurrence: readRepeats(input),
  };
}

function readRepeats({
  recurrence: rule,
  exdates,
}: Pick<Static<typeof EVENT>, "exdates" | "recurrence">) {
  if (rule === undefined && exdates === undefined) return undefined;
  const removed = exdates?.split(",").map((it) => it.trim());
  return { rule, removed: removed?.filter((it) => it !== "") };
}

/** An absent id becomes undefined, 0 becomes null. */
function readPlaces({ calendarID, aspectID }: Static<typeof EVENT>) {
  const orNone = <Id extends number>(id: number | undefined) =>
    id === 0 ? null : (id as Id | undefined);
  return {
    calendarId: orNone<CalendarId>(calendarID),
    aspectId: orNone<AspectId>(aspectID),
  };
}
