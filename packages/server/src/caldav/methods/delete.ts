import type { DavCall } from "../context.ts";
import { DavError } from "../dav-error.ts";
import type { DavCalendar } from "../resources/dav-calendar.ts";
import { objectHref } from "../resources/paths.ts";
import { ownerOf, refuseReadOnly } from "../resources/privileges.ts";
import {
  getCalendar,
  getResource,
  listNamedObjects,
  listOwnCalendars,
} from "../resources/resource.ts";
import { DAV } from "../xml/write-xml.ts";
import { conditionOf } from "./conditions.ts";
import { sendEmpty } from "./send.ts";

/**
 * Deletes an object, or a calendar with its objects unless it is the last one. A calendar that
 * somebody else shares is only left, as is one of another server.
 */
export async function deleteMethod(call: DavCall) {
  const { deps, user, target, request, reply } = call;
  if (target.kind === "object") {
    const calendar = await getCalendar(call);
    const { id, pathName, share } = calendar;
    const href = objectHref(user.username, pathName, target.name);
    const [seen] = await listNamedObjects(call, calendar, [target.name]);
    refuseReadOnly(href, calendar, seen);
    if (share && !seen) throw new DavError(404);
    const owner = ownerOf(call, calendar);
    const key = { owner, calendarId: id, name: target.name };
    const { objects } = deps.events;
    const outcome = await objects.remove(key, conditionOf(request));
    if (outcome === "not_found") throw new DavError(404);
    if (outcome === "condition_failed") throw new DavError(412);
    return sendEmpty(reply, 204);
  }
  const resource = await getResource(call);
  if (resource.kind === "calendar" && (await leave(call, resource.calendar)))
    return sendEmpty(reply, 204);
  const isLast =
    resource.kind !== "calendar" ||
    resource.calendar.members !== undefined ||
    (await listOwnCalendars(call)).length === 1;
  if (resource.kind !== "calendar" || isLast)
    throw new DavError(403, [DAV, "need-privileges"]);
  await deps.events.removeCalendar(user, resource.calendar.id);
  return sendEmpty(reply, 204);
}

/** @returns false for a calendar of the user's own */
async function leave(
  { deps, user }: DavCall,
  { id, share, subscription }: DavCalendar,
): Promise<boolean> {
  const { calendars, subscribedCalendars } = deps;
  if (share) await calendars.leaveShared(user, id);
  else if (subscription)
    await subscribedCalendars.unsubscribe(user.userId, subscription.id);
  else return false;
  return true;
}
