import type { Static } from "typebox";
import type {
  Calendars,
  CalendarShare,
  SharedCalendar,
  ShareWith,
} from "../../../features/calendars/index.ts";
import type {
  AspectId,
  CalendarId,
  CalendarShareId,
  PersonId,
} from "../../../features/ids.ts";
import type { People, Person } from "../../../features/people/index.ts";
import { flag, text, uint } from "../../../http/input/input.ts";
import { KithError } from "../../../lib/errors.ts";
import { formatHandle, parseHandle } from "../../../lib/handle.ts";
import { Type } from "../../../lib/json-schema.ts";
import { readIdOrNone } from "../../kit/identifiers.ts";
import { apiRoute, NO_INPUT, type ApiRoute } from "../../kit/route.ts";
import { presentPerson, type WireRecord } from "../../schemas/records.ts";
import { EMPTY, listOf, one } from "../../schemas/schemas.ts";
import { COLOR, presentColor } from "./look-input.ts";

const SHARE = Type.Object({
  aspectID: uint("The aspect whose members get it"),
  personID: uint("The person of this server who gets it"),
  handle: text("The same by handle"),
  write: flag("May they change it, too?"),
});

const LOOK = Type.Object({ color: COLOR });

export type SharesRoutesDeps = {
  readonly calendars: Calendars;
  readonly people: People;
};

/** Calendars that people of this server share with each other. */
export function sharesRoutes(deps: SharesRoutesDeps): ApiRoute[] {
  return [...givenRoutes(deps), ...receivedRoutes(deps)];
}

const idIn = (path: (name: string) => string) =>
  readIdOrNone(path("id")) as CalendarId;

function givenRoutes(deps: SharesRoutesDeps): ApiRoute[] {
  const { calendars, people } = deps;
  const path = "/calendar/:id/shares";
  return [
    apiRoute({
      method: "GET",
      limit: "read",
      scope: "undelegated",
      name: "listCalendarShares",
      path,
      summary: "Lists with whom you share your calendar.",
      input: NO_INPUT,
      output: listOf("CalendarShare"),
      handle: async ({ user, path: part, page: { offset, limit } }) => {
        const all = await calendars.listShares(user.userId, idIn(part));
        const shares = all.slice(offset, offset + limit);
        const persons = await people.listById(shares.flatMap(personIdOf));
        return shares.map((share) => presentShare(share, persons));
      },
    }),
    apiRoute({
      method: "POST",
      limit: "write",
      scope: "undelegated",
      name: "shareCalendar",
      path,
      summary:
        "Shares your calendar with a person of this server or an aspect, or changes what they may do with it.",
      input: SHARE,
      output: one("CalendarShare"),
      handle: async ({ user, path: part, input }) => {
        const { id } = await calendars.get(user.userId, idIn(part));
        const recipient = await readRecipient(deps, input);
        const mayWrite = input.write ?? false;
        const share = await calendars.share(user, id, recipient, mayWrite);
        const persons = await people.listById(personIdOf(share));
        return presentShare(share, persons);
      },
    }),
    apiRoute({
      method: "DELETE",
      limit: "write",
      scope: "undelegated",
      name: "endCalendarShare",
      path: `${path}/:share`,
      summary: "Ends a share of your calendar.",
      input: NO_INPUT,
      output: EMPTY,
      handle: async ({ user, path: part }) => {
        const shareId = readIdOrNone(part("share")) as CalendarShareId;
        await calendars.endShare(user.userId, idIn(part), shareId);
        return {};
      },
    }),
  ];
}

function receivedRoutes({ calendars, people }: SharesRoutesDeps): ApiRoute[] {
  return [
    apiRoute({
      method: "GET",
      limit: "read",
      scope: "read:statuses",
      name: "listSharedCalendars",
      path: "/shared_calendars",
      summary: "Lists the calendars that others share with you.",
      input: NO_INPUT,
      output: listOf("SharedCalendar"),
      handle: async ({ user, page: { offset, limit } }) => {
        const all = await calendars.listShared(user);
        const shared = all.slice(offset, offset + limit);
        const owners = shared.map(({ share }) => share.owner.personId);
        const persons = await people.listById(owners);
        return shared.map((calendar) => presentShared(calendar, persons));
      },
    }),
    apiRoute({
      method: "PUT",
      limit: "write",
      scope: "write:statuses",
      name: "changeSharedCalendar",
      path: "/shared_calendars/:id",
      summary:
        "Gives a calendar that another person shares with you a colour, for you alone.",
      input: LOOK,
      needs: ["color"],
      output: one("SharedCalendar"),
      handle: async ({ user, path, input: { color } }) => {
        const id = idIn(path);
        const changed = await calendars.changeSharedColor(user, id, color);
        const owner = changed.share.owner.personId;
        return presentShared(changed, await people.listById([owner]));
      },
    }),
    apiRoute({
      method: "DELETE",
      limit: "write",
      scope: "write:statuses",
      name: "leaveSharedCalendar",
      path: "/shared_calendars/:id",
      summary: "Leaves a calendar that another person shares with you.",
      input: NO_INPUT,
      output: EMPTY,
      handle: async ({ user, path }) => {
        await calendars.leaveShared(user, idIn(path));
        return {};
      },
    }),
  ];
}

/** @throws {KithError} `bad_request` unless exactly one is named, `not_found` for nobody */
async function readRecipient(
  { people }: SharesRoutesDeps,
  { aspectID = 0, personID = 0, handle = "" }: Static<typeof SHARE>,
): Promise<ShareWith> {
  const given = [aspectID > 0, personID > 0, handle !== ""].filter(Boolean);
  if (given.length !== 1)
    throw new KithError("bad_request", "Name either one person or one aspect.");
  if (aspectID > 0) return { aspectId: aspectID as AspectId };
  const parsed = parseHandle(handle);
  const key =
    personID > 0
      ? { id: personID as PersonId }
      : parsed && { handle: formatHandle(parsed) };
  const found = key && (await people.find(key));
  if (found?.state !== "active")
    throw new KithError("not_found", "No such person.");
  return { personId: found.id };
}

function personIdOf({ with: recipient }: CalendarShare): PersonId[] {
  return recipient.kind === "person" ? [recipient.personId] : [];
}

function presentShare(
  share: CalendarShare,
  persons: ReadonlyMap<PersonId, Person>,
): WireRecord {
  const { with: recipient } = share;
  return {
    ID: share.id,
    CreatedAt: share.createdAt,
    CalendarID: share.calendarId,
    Write: share.mayWrite,
    ...(recipient.kind === "aspect"
      ? { AspectID: recipient.aspectId, AspectName: recipient.name }
      : {
          PersonID: recipient.personId,
          Person: orNull(persons.get(recipient.personId)),
        }),
  };
}

function presentShared(
  calendar: SharedCalendar,
  persons: ReadonlyMap<PersonId, Person>,
): WireRecord {
  const { id, name, createdAt, updatedAt, share } = calendar;
  const { owner, mayWrite } = share;
  return {
    ID: id,
    CreatedAt: createdAt,
    UpdatedAt: updatedAt,
    Name: name,
    ...presentColor(calendar),
    Write: mayWrite,
    PersonID: owner.personId,
    Person: orNull(persons.get(owner.personId)),
  };
}

function orNull(person: Person | undefined): WireRecord | null {
  return person ? presentPerson(person) : null;
}
