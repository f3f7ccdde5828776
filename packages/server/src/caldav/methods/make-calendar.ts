import type { DavCall } from "../context.ts";
import { DavError } from "../dav-error.ts";
import { isPossibleName } from "../resources/paths.ts";
import { refuseOthers } from "../resources/resource.ts";
import { propertyChangesOf, isWritable } from "../resources/writable.ts";
import {
  findChild,
  listChildren,
  readXml,
  type XmlElement,
} from "../xml/read-xml.ts";
import { CALDAV, DAV } from "../xml/write-xml.ts";
import { sendEmpty } from "./send.ts";

/** MKCALENDAR (RFC 4791, section 5.3.1), and MKCOL for a calendar (RFC 5689). */
export async function makeCalendar(call: DavCall) {
  const { deps, user, target, request, reply } = call;
  refuseOthers(call);
  if (target.kind === "nothing") throw new DavError(404);
  if (target.kind !== "calendar")
    throw target.kind === "object"
      ? new DavError(403, [CALDAV, "calendar-collection-location-ok"])
      : new DavError(405);
  if (
    !isPossibleName(target.calendar) ||
    deps.calendars.isSharedPath(target.calendar) ||
    deps.subscribedCalendars.isSubscribedPath(target.calendar)
  )
    throw new DavError(403, [CALDAV, "calendar-collection-location-ok"]);
  const properties = readProperties(readXml(request.body));
  if (request.method === "MKCOL") refuseOtherTypes(properties);
  refuseOtherComponents(properties);
  const changes = propertyChangesOf(properties.filter(isWritable));
  if (!changes) throw new DavError(403, [DAV, "valid-resourcetype"]);
  const { userId } = user;
  const path = target.calendar;
  const made = await deps.calendars.createSynced(userId, path, changes);
  if (!made) throw new DavError(405, [DAV, "resource-must-be-null"]);
  return sendEmpty(reply, 201);
}

function readProperties(body: XmlElement | undefined): XmlElement[] {
  if (!body) return [];
  return listChildren(body, DAV, "set")
    .flatMap((set) => listChildren(set, DAV, "prop"))
    .flatMap(({ children }) => children);
}

/** No other collections are made here. */
function refuseOtherTypes(properties: readonly XmlElement[]): void {
  const type = properties.find(({ name }) => name === "resourcetype");
  if (!findChild(type, CALDAV, "calendar"))
    throw new DavError(403, [DAV, "valid-resourcetype"]);
}

function refuseOtherComponents(properties: readonly XmlElement[]): void {
  const set = properties.find(
    ({ name }) => name === "supported-calendar-component-set",
  );
  const names = set?.children.map(({ attributes }) => attributes["name"]) ?? [];
  if (names.length > 0 && !names.includes("VEVENT"))
    throw new DavError(403, [CALDAV, "supported-calendar-component"]);
}
