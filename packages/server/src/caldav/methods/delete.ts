import type { DavCall } from "../context.ts";
import { DavError } from "../dav-error.ts";
import {
  getCalendar,
  getResource,
  listOwnCalendars,
} from "../resources/resource.ts";
import { DAV } from "../xml/write-xml.ts";
import { conditionOf } from "./conditions.ts";
import { sendEmpty } from "./send.ts";

/** Deletes an object, or a calendar with its objects unless it is the last one. */
export async function deleteMethod(call: DavCall) {
  const { deps, user, target, request, reply } = call;
  if (target.kind === "object") {
    const { id } = await getCalendar(call);
    const key = { owner: user, calendarId: id, name: target.name };
    const { objects } = deps.events;
    const outcome = await objects.remove(key, conditionOf(request));
    if (outcome === "not_found") throw new DavError(404);
    if (outcome === "condition_failed") throw new DavError(412);
    return sendEmpty(reply, 204);
  }
  const resource = await getResource(call);
  const isLast =
    resource.kind !== "calendar" || (await listOwnCalendars(call)).length === 1;
  if (resource.kind !== "calendar" || isLast)
    throw new DavError(403, [DAV, "need-privileges"]);
  await deps.events.removeCalendar(user, resource.calendar.id);
  return sendEmpty(reply, 204);
}
