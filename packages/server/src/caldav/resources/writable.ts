import type {
  CalendarChanges,
  SyncedCalendar,
} from "../../features/calendars/index.ts";
import type { XmlElement } from "../xml/read-xml.ts";
import {
  APPLE,
  CALDAV,
  CALENDAR_SERVER,
  DAV,
  xml,
  type XmlName,
  type XmlText,
} from "../xml/write-xml.ts";

const NAME: XmlName = [DAV, "displayname"];
const TRANSPARENCY: XmlName = [CALDAV, "schedule-calendar-transp"];

/** The properties of a calendar that programs may write. */
export const WRITABLE: readonly XmlName[] = [
  NAME,
  [CALDAV, "calendar-description"],
  [CALDAV, "calendar-timezone"],
  [CALDAV, "calendar-timezone-id"],
  TRANSPARENCY,
  [APPLE, "calendar-color"],
  [APPLE, "calendar-order"],
  ...["vevent-datetime", "vevent-date"].map((when): XmlName => [
    CALDAV,
    `default-alarm-${when}`,
  ]),
  [CALENDAR_SERVER, "subscribed-strip-alarms"],
];

/** Characters of one: a time zone with all its changes. */
const MAX_LENGTH = 20_000;
const MAX_NAME_LENGTH = 255;

const keyOf = ([namespace, name]: XmlName) => `${namespace} ${name}`;

export function isWritable({ namespace, name }: XmlElement): boolean {
  return WRITABLE.some((it) => it[0] === namespace && it[1] === name);
}

/** The element of a property that a program wrote, or of the name of the calendar. */
export function storedProperty(
  { name, properties }: SyncedCalendar,
  property: XmlName,
): XmlText | undefined {
  const stored = properties[keyOf(property)];
  if (property === NAME) return xml(NAME, stored ?? name);
  if (stored === undefined) return undefined;
  return property === TRANSPARENCY
    ? xml(TRANSPARENCY, [xml([CALDAV, stored])])
    : xml(property, stored);
}

/**
 * The change by the properties that a program sets and removes.
 * @returns undefined if one of them cannot have its value
 */
export function propertyChangesOf(
  set: readonly XmlElement[],
  removed: readonly XmlElement[] = [],
): CalendarChanges | undefined {
  const properties: Record<string, string | null> = {};
  let name: string | undefined;
  for (const { namespace, name: local } of removed)
    properties[keyOf([namespace, local])] = null;
  for (const element of set) {
    const key = keyOf([element.namespace, element.name]);
    const value = valueOf(element);
    if (value === undefined) return undefined;
    properties[key] = value;
    if (key !== keyOf(NAME) || value.trim() === "") continue;
    if ([...value].length > MAX_NAME_LENGTH) return undefined;
    name = value;
    // Kept only where the calendar cannot have it as its name.
    properties[key] = value.trim() === value ? null : value;
  }
  return { ...(name !== undefined && { name }), properties };
}

/** The same for a calendar whose name is another person's: its reader's name is a text. */
export function asOwnLook({
  name,
  properties,
}: CalendarChanges): CalendarChanges {
  return name === undefined
    ? { properties }
    : { properties: { ...properties, [keyOf(NAME)]: name } };
}

function valueOf(element: XmlElement): string | undefined {
  const isTransparency =
    element.namespace === CALDAV && element.name === TRANSPARENCY[1];
  if (isTransparency) {
    const [child] = element.children;
    return child?.name === "transparent" ? "transparent" : "opaque";
  }
  const { text } = element;
  return text.length <= MAX_LENGTH && !text.includes("\0") ? text : undefined;
}
