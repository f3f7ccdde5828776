import { MAX_OBJECT_BYTES } from "../../lib/icalendar/calendar-data.ts";
import { YEARS } from "../../lib/icalendar/object-time.ts";
import { MAX_INSTANCES } from "../../lib/icalendar/recurrence-rule.ts";
import type { DavCall } from "../context.ts";
import {
  APPLE,
  CALDAV,
  CALENDAR_SERVER,
  DAV,
  xml,
  type XmlName,
  type XmlText,
} from "../xml/write-xml.ts";
import { homeHref, principalHref, PRINCIPALS } from "./paths.ts";
import { privilegesOf } from "./privileges.ts";
import type { DavCalendar } from "./dav-calendar.ts";
import { etagOf, syncTokenOf, type Resource } from "./resource.ts";
import { storedProperty, WRITABLE } from "./writable.ts";

/** A property with its name: its element, or undefined if the resource has none. */
type Property = readonly [XmlName, XmlText | undefined];

const text = (name: XmlName, content: string): Property => [
  name,
  xml(name, content),
];
const holding = (name: XmlName, content: readonly XmlText[]): Property => [
  name,
  xml(name, content),
];
const hrefIn = (name: XmlName, ...hrefs: readonly string[]): Property =>
  holding(
    name,
    hrefs.map((href) => xml([DAV, "href"], href)),
  );

/** All properties that a resource has, but for the text of an object. */
export function propertiesOf(
  call: DavCall,
  resource: Resource,
  displayName: string,
): Property[] {
  const { username } = call.user;
  const shared = [
    hrefIn([DAV, "current-user-principal"], principalHref(username)),
    hrefIn([DAV, "principal-collection-set"], PRINCIPALS),
    privileges(resource),
  ];
  switch (resource.kind) {
    case "root":
    case "principals":
    case "homes":
      return [
        ...shared,
        typeOf("collection"),
        hrefIn([CALDAV, "calendar-home-set"], homeHref(username)),
      ];
    case "principal":
      return [...shared, ...ofPrincipal(call, displayName)];
    case "home":
      return [
        ...shared,
        typeOf("collection"),
        hrefIn([DAV, "owner"], principalHref(username)),
        text([DAV, "displayname"], displayName),
      ];
    case "calendar":
      return [...shared, ...ofCalendar(call, resource.calendar)];
    case "object":
      return [...shared, ...ofObject(resource)];
  }
}

function typeOf(...names: ("collection" | "principal")[]): Property {
  return holding(
    [DAV, "resourcetype"],
    names.map((name) => xml([DAV, name])),
  );
}

function privileges(resource: Resource): Property {
  return holding(
    [DAV, "current-user-privilege-set"],
    privilegesOf(resource).map((name) => xml([DAV, "privilege"], [xml(name)])),
  );
}

function ofPrincipal({ user, deps }: DavCall, displayName: string): Property[] {
  const href = principalHref(user.username);
  return [
    typeOf("collection", "principal"),
    text([DAV, "displayname"], displayName),
    hrefIn([DAV, "principal-URL"], href),
    hrefIn([CALDAV, "calendar-home-set"], homeHref(user.username)),
    hrefIn([CALDAV, "calendar-user-address-set"], href, deps.baseUrl + href),
    holding([DAV, "supported-report-set"], []),
  ];
}

const REPORTS: readonly XmlName[] = [
  [CALDAV, "calendar-multiget"],
  [CALDAV, "calendar-query"],
  [CALDAV, "free-busy-query"],
  [DAV, "sync-collection"],
];

function ofCalendar(
  { user, deps }: DavCall,
  calendar: DavCalendar,
): Property[] {
  const token = syncTokenOf(deps.baseUrl, calendar);
  const type = [xml([DAV, "collection"]), xml([CALDAV, "calendar"])];
  const data = { "content-type": "text/calendar", version: "2.0" };
  return [
    holding([DAV, "resourcetype"], type),
    hrefIn(
      [DAV, "owner"],
      principalHref(calendar.share?.owner.username ?? user.username),
    ),
    holding(
      [DAV, "supported-report-set"],
      REPORTS.map((name) =>
        xml([DAV, "supported-report"], [xml([DAV, "report"], [xml(name)])]),
      ),
    ),
    text([DAV, "sync-token"], token),
    text([CALENDAR_SERVER, "getctag"], token),
    holding(
      [CALDAV, "supported-calendar-component-set"],
      [xml([CALDAV, "comp"], [], { name: "VEVENT" })],
    ),
    holding(
      [CALDAV, "supported-calendar-data"],
      [xml([CALDAV, "calendar-data"], [], data)],
    ),
    text([CALDAV, "max-resource-size"], String(MAX_OBJECT_BYTES)),
    text([CALDAV, "max-instances"], String(MAX_INSTANCES)),
    text([CALDAV, "min-date-time"], `${YEARS.first}0101T000000Z`),
    text([CALDAV, "max-date-time"], `${YEARS.last}1231T235959Z`),
    ...sourceOf(calendar),
    ...WRITABLE.map((name): Property => [name, storedProperty(calendar, name)]),
  ];
}

/** Where a subscribed calendar comes from. */
function sourceOf({ subscription }: DavCalendar): Property[] {
  return subscription
    ? [hrefIn([CALENDAR_SERVER, "source"], subscription.url)]
    : [];
}

function ofObject({ object }: Extract<Resource, { kind: "object" }>) {
  const { createdAt, updatedAt } = object.event;
  return [
    typeOf(),
    text([DAV, "getetag"], etagOf(object)),
    text(
      [DAV, "getcontenttype"],
      "text/calendar; charset=utf-8; component=vevent",
    ),
    text([DAV, "getlastmodified"], new Date(updatedAt).toUTCString()),
    text([DAV, "creationdate"], createdAt),
  ];
}

/** A calendar's colour is asked for by this name alone. */
export const COLOUR: XmlName = [APPLE, "calendar-color"];
