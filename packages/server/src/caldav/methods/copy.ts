import { renderObjects } from "../../features/calendar-files/index.ts";
import { setGuests } from "../../lib/icalendar/objects/set-guests.ts";
import type { DavCall } from "../context.ts";
import { DavError } from "../dav-error.ts";
import { getDestination } from "../resources/destination.ts";
import { getResource } from "../resources/resource.ts";
import { conditionOf } from "./conditions.ts";
import { storeText } from "./put.ts";
import { sendEmpty } from "./send.ts";

/**
 * Copies an object (RFC 4918, section 9.8), which makes an event of its own: its owner's alone,
 * and nobody has answered it. A calendar has a UID once, so a copy goes to another calendar.
 */
export async function copy(call: DavCall) {
  const { deps, request, reply } = call;
  const source = await getResource(call);
  if (source.kind !== "object") throw new DavError(403);
  const { calendar, name, mayReplace } = await getDestination(call);
  const isSame =
    calendar.id === source.calendar.id && name === source.object.name;
  if (isSame) throw new DavError(403);
  if (!conditionOf(request)(source.object)) throw new DavError(412);
  const [rendered] = await renderObjects(deps, [source.object]);
  if (!rendered) throw new DavError(404);
  const text = setGuests(rendered.ical, [], `${deps.baseUrl}/people/`);
  const { isNew } = await storeText(call, calendar, name, {
    text,
    condition: (there) => !there || mayReplace,
  });
  return sendEmpty(reply, isNew ? 201 : 204);
}
