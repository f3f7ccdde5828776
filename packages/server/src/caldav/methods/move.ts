import type { DavCall } from "../context.ts";
import { DavError } from "../dav-error.ts";
import { isReadOnly } from "../resources/dav-calendar.ts";
import { getDestination } from "../resources/destination.ts";
import { calendarHref } from "../resources/paths.ts";
import { needs } from "../resources/privileges.ts";
import { getCalendar } from "../resources/resource.ts";
import { conditionOf } from "./conditions.ts";
import { sendEmpty } from "./send.ts";

/** Moves an object to another name, or into another calendar of the user. */
export async function move(call: DavCall) {
  const { deps, user, target, request, reply } = call;
  const from = await getCalendar(call);
  if (target.kind !== "object") throw new DavError(403);
  const { calendar: there, name, mayReplace } = await getDestination(call);
  // Events go with the name of their owner: a program puts and deletes them instead.
  const shared = [from, there].find(
    (calendar) => calendar.share !== undefined || isReadOnly(calendar),
  );
  if (shared) throw needs(calendarHref(user.username, shared.pathName), "bind");
  const outcome = await deps.events.objects.move(
    { owner: user, calendarId: from.id, name: target.name },
    { calendarId: there.id, name },
    { condition: conditionOf(request), mayReplace },
  );
  switch (outcome) {
    case "not_found":
      throw new DavError(404);
    case "condition_failed":
    case "taken":
      throw new DavError(412);
    case "moved":
      return sendEmpty(reply, 201);
    case "replaced":
      return sendEmpty(reply, 204);
  }
}
