import type { SyncedCalendar } from "../../features/calendars/index.ts";
import type { CalendarObject } from "../../features/events/index.ts";
import { DavError } from "../dav-error.ts";
import type { DavCall } from "../context.ts";
import type { DavCalendar } from "./dav-calendar.ts";
import { findBirthdays, isBirthdaysPath } from "./birthdays.ts";
import {
  findSubscribedAt,
  listSubscribed,
  subscribedObjectOf,
} from "./subscribed.ts";
import {
  calendarHref,
  homeHref,
  HOMES,
  objectHref,
  principalHref,
  PRINCIPALS,
  ROOT,
} from "./paths.ts";

/** Something that is there, and may be seen by the user of the call. */
export type Resource = { readonly href: string } & (
  | { readonly kind: "home" | "homes" | "principal" | "principals" | "root" }
  | { readonly kind: "calendar"; readonly calendar: DavCalendar }
  | {
      readonly kind: "object";
      readonly calendar: DavCalendar;
      readonly object: CalendarObject;
    }
);

/**
 * Finds what the path of a call names.
 * @throws {DavError} 404, for what other people have as for what nobody has
 */
export async function getResource(call: DavCall): Promise<Resource> {
  const { target, user } = call;
  const { username } = user;
  switch (target.kind) {
    case "root":
      return { kind: "root", href: ROOT };
    case "principals":
      return { kind: "principals", href: PRINCIPALS };
    case "homes":
      return { kind: "homes", href: HOMES };
    case "principal":
      refuseOthers(call);
      return { kind: "principal", href: principalHref(username) };
    case "home":
      refuseOthers(call);
      return { kind: "home", href: homeHref(username) };
    case "calendar":
      return calendarResource(username, await getCalendar(call));
    case "object": {
      const calendar = await getCalendar(call);
      const names = [target.name];
      const [object] = await listNamedObjects(call, calendar, names);
      if (!object) throw new DavError(404);
      return objectResource(username, calendar, object);
    }
    case "nothing":
      throw new DavError(404);
  }
}

/** @throws {DavError} 404 if the path is another person's */
export function refuseOthers({ target, user }: DavCall): void {
  if ("username" in target && target.username !== user.username)
    throw new DavError(404);
}

/** The calendar in the user's home that the path is in. @throws {DavError} 404 */
export async function getCalendar(call: DavCall): Promise<DavCalendar> {
  const { target } = call;
  refuseOthers(call);
  const found =
    "calendar" in target
      ? await findCalendarAt(call, target.calendar)
      : undefined;
  if (!found) throw new DavError(404);
  return found;
}

/** A calendar in the user's home: an own one, a shared or subscribed one, or birthdays. */
export async function findCalendarAt(
  call: DavCall,
  pathName: string,
): Promise<DavCalendar | undefined> {
  const { user, deps } = call;
  const own = await deps.calendars.findSynced(user.userId, pathName);
  if (own) return own;
  return isBirthdaysPath(pathName)
    ? findBirthdays(call)
    : ((await deps.calendars.findShared(user, { pathName })) ??
        findSubscribedAt(call, pathName));
}

/** The objects with these names, as far as the user may see them. */
export async function listNamedObjects(
  { user, deps }: DavCall,
  calendar: DavCalendar,
  names: readonly string[],
): Promise<CalendarObject[]> {
  const { members, subscription } = calendar;
  if (members) return members.filter(({ name }) => names.includes(name));
  if (subscription) {
    const { objects } = deps.subscribedCalendars;
    const found = await objects.listByName(subscription.id, names);
    return found.map((it) => subscribedObjectOf(subscription, it));
  }
  const viewer = calendar.share && user;
  return deps.events.objects.listByName(calendar.id, names, viewer);
}

export function calendarResource(
  username: string,
  calendar: DavCalendar,
): Resource {
  const href = calendarHref(username, calendar.pathName);
  return { kind: "calendar", href, calendar };
}

export function objectResource(
  username: string,
  calendar: DavCalendar,
  object: CalendarObject,
): Resource {
  const href = objectHref(username, calendar.pathName, object.name);
  return { kind: "object", href, calendar, object };
}

/** The user's calendars; a user without any gets one. */
export async function listOwnCalendars({
  user,
  deps,
}: DavCall): Promise<SyncedCalendar[]> {
  const { locale } = await deps.accounts.getSettings(user.userId);
  return deps.calendars.listSynced(user.userId, locale);
}

/** All calendars in the user's home. */
export async function listHomeCalendars(call: DavCall): Promise<DavCalendar[]> {
  const own = await listOwnCalendars(call);
  const shared = await call.deps.calendars.listShared(call.user);
  const subscribed = await listSubscribed(call);
  const birthdays = await findBirthdays(call);
  const isNew = (it: DavCalendar) =>
    !own.some(({ pathName }) => pathName === it.pathName);
  const computed = (birthdays ? [birthdays] : []).filter(isNew);
  return [...own, ...shared, ...subscribed.filter(isNew), ...computed];
}

/** Strong: it is different after each change of what the object says. */
export function etagOf({ event, change }: CalendarObject): string {
  return `"${event.id}-${change}"`;
}

const TOKEN = /\/ns\/sync\/(\d{1,15})\/(\d{1,15})$/;

/** Names the state of a calendar (RFC 6578, section 4). */
export function syncTokenOf(
  baseUrl: string,
  { id, changes }: Pick<SyncedCalendar, "changes" | "id">,
): string {
  return `${baseUrl}/ns/sync/${id}/${changes}`;
}

/** @returns the change that a token names; undefined if it is too old, or of another calendar */
export function readSyncToken(
  token: string,
  { id, changes, forgottenChanges }: SyncedCalendar,
): number | undefined {
  const [, calendar, change] = TOKEN.exec(token) ?? [];
  const number = Number(change);
  return Number(calendar) === id &&
    number >= forgottenChanges &&
    number <= changes
    ? number
    : undefined;
}
