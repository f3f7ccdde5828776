import type { CalendarChanges } from "../../features/calendars/index.ts";
import type { DavCall } from "../context.ts";
import { DavError } from "../dav-error.ts";
import { multistatus, propstat, responseOf } from "../resources/multistatus.ts";
import type { DavCalendar } from "../resources/dav-calendar.ts";
import { getResource } from "../resources/resource.ts";
import {
  asOwnLook,
  propertyChangesOf,
  isWritable,
} from "../resources/writable.ts";
import {
  isNamed,
  listChildren,
  readXml,
  type XmlElement,
} from "../xml/read-xml.ts";
import { DAV, xml, type XmlText } from "../xml/write-xml.ts";
import { sendXml } from "./send.ts";

/** SyncChanges all of the given properties of a calendar, or none (RFC 4918, section 9.2). */
export async function proppatch(call: DavCall) {
  const { request, reply } = call;
  const body = readXml(request.body);
  if (!body || !isNamed(body, DAV, "propertyupdate")) throw new DavError(400);
  const set = propertiesIn(body, "set");
  const removed = propertiesIn(body, "remove");
  const all = [...set, ...removed];
  const resource = await getResource(call);
  const isCalendar = resource.kind === "calendar" && !resource.calendar.members;
  const faulty = all.filter((property) => !isCalendar || !isWritable(property));
  const changes =
    faulty.length === 0 ? propertyChangesOf(set, removed) : undefined;
  if (changes && isCalendar) {
    await changeLook(call, resource.calendar, changes);
  }
  const isFaulty = (it: XmlElement) =>
    faulty.length === 0 || faulty.includes(it);
  const outcome = changes
    ? propstat(200, all.map(nameOf))
    : [
        ...propstat(403, all.filter(isFaulty).map(nameOf)),
        ...propstat(424, all.filter((it) => !isFaulty(it)).map(nameOf)),
      ];
  return sendXml(reply, 207, multistatus([responseOf(resource.href, outcome)]));
}

function changeLook(
  { deps, user }: DavCall,
  { pathName, share, subscription }: DavCalendar,
  changes: CalendarChanges,
): Promise<void> {
  const { calendars, subscribedCalendars } = deps;
  if (share) return calendars.changeShared(user, pathName, asOwnLook(changes));
  const { userId } = user;
  return subscription
    ? subscribedCalendars.changeLook(userId, pathName, changes)
    : calendars.changeSynced(userId, pathName, changes);
}

function propertiesIn(body: XmlElement, kind: "remove" | "set"): XmlElement[] {
  return listChildren(body, DAV, kind)
    .flatMap((part) => listChildren(part, DAV, "prop"))
    .flatMap(({ children }) => children);
}

function nameOf({ namespace, name }: XmlElement): XmlText {
  return xml([namespace, name]);
}
