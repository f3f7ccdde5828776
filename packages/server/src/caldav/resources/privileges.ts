import type { CalendarObject } from "../../features/events/index.ts";
import type { Author } from "../../features/posts/index.ts";
import type { DavCall } from "../context.ts";
import { DavError } from "../dav-error.ts";
import { CALDAV, DAV, xml, type XmlName } from "../xml/write-xml.ts";
import { hrefElement } from "./multistatus.ts";
import { isReadOnly, type DavCalendar } from "./dav-calendar.ts";
import type { Resource } from "./resource.ts";

const READ: readonly XmlName[] = [
  [DAV, "read"],
  [DAV, "read-current-user-privilege-set"],
  [CALDAV, "read-free-busy"],
];

const CHANGE_OBJECTS: readonly XmlName[] = [
  [DAV, "write-content"],
  [DAV, "bind"],
  [DAV, "unbind"],
];

const ALL: readonly XmlName[] = [
  ...READ,
  [DAV, "write"],
  [DAV, "write-properties"],
  ...CHANGE_OBJECTS,
];

/**
 * The privileges of the user on a resource (RFC 3744, section 5.5). Readers of a shared calendar
 * may give it a look of their own, but programs take a calendar for writable that says so.
 */
export function privilegesOf(resource: Resource): readonly XmlName[] {
  if (resource.kind !== "calendar" && resource.kind !== "object") return ALL;
  const { share } = resource.calendar;
  if (isReadOnly(resource.calendar)) return READ;
  if (!share) return ALL;
  if (resource.kind === "object")
    return mayWrite(resource.calendar, resource.object)
      ? [...READ, [DAV, "write-content"]]
      : READ;
  return share.mayWrite ? [...READ, ...CHANGE_OBJECTS] : READ;
}

/** Only events that nobody else has been told of are written by others than their owner. */
function mayWrite({ share }: DavCalendar, { event }: CalendarObject): boolean {
  return !share || (share.mayWrite && event.audience === "owner");
}

/** The person in whose name objects of a calendar are written: its owner. */
export function ownerOf({ user }: DavCall, { share }: DavCalendar): Author {
  return share ? share.owner : user;
}

/** @throws {DavError} `need-privileges` for a calendar that the user can only read */
export function refuseReadOnly(
  href: string,
  calendar: DavCalendar,
  object?: CalendarObject,
): void {
  const { share } = calendar;
  if (isReadOnly(calendar) || share?.mayWrite === false)
    throw needs(href, "write-content");
  if (object && !mayWrite(calendar, object)) throw needs(href, "write-content");
}

/** @see RFC 3744, section 7.1.1 */
export function needs(href: string, privilege: string): DavError {
  const resource = xml(
    [DAV, "resource"],
    [hrefElement(href), xml([DAV, "privilege"], [xml([DAV, privilege])])],
  );
  return new DavError(403, [DAV, "need-privileges"], [resource]);
}
