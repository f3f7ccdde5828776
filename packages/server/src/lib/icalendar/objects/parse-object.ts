import type ICAL from "ical.js";
import {
  CalendarDataError,
  invalidData,
  parseCalendar,
} from "../calendar-data.ts";
import { checkRule } from "../recurrence-rule.ts";
import { zonesOf, type ZoneNames } from "../zone-names.ts";
import { readTime, type ObjectTime, timesIn } from "../object-time.ts";

/** A `VEVENT` as far as Kith understands it. */
export type ParsedEvent = {
  readonly summary: string;
  readonly description: string;
  readonly location: string;
  readonly start: ObjectTime;
  /** The first moment after it; missing for a moment, or for one day. */
  readonly end: ObjectTime | undefined;
  readonly status: "cancelled" | "confirmed" | "tentative";
  /** Does it leave its time free? */
  readonly isTransparent: boolean;
  /** The value of `RRULE`. */
  readonly rule: string | undefined;
  readonly added: readonly ObjectTime[];
  readonly removed: readonly ObjectTime[];
};

/** One event of a series that differs from the others, or is cancelled. */
export type ParsedOverride = ParsedEvent & {
  /** When it would have begun. */
  readonly recurrenceId: ObjectTime;
};

/** The events of one UID. */
export type ParsedObject = {
  readonly uid: string;
  /** Of an invitation to single events of a series: the first of them. */
  readonly master: ParsedEvent;
  readonly overrides: readonly ParsedOverride[];
};

const MAX_UID_LENGTH = 1000;

/**
 * Parses a calendar object resource (RFC 4791, section 4.1): events of one UID.
 * @param zone of floating times, and of names of zones that nothing explains
 * @throws {CalendarDataError}
 */
export function parseObject(text: string, zone: string): ParsedObject {
  const root = parseCalendar(text);
  if (root.getFirstProperty("method"))
    throw unusable("A stored object has no METHOD.");
  const events = root.getAllSubcomponents("vevent");
  const others = root
    .getAllSubcomponents()
    .filter(({ name }) => ["vtodo", "vjournal", "vfreebusy"].includes(name));
  if (events.length === 0 && others.length > 0)
    throw new CalendarDataError(
      "supported-calendar-component",
      "Calendars here hold events alone.",
    );
  if (others.length > 0) throw unusable("An object has one kind of component.");
  return groupedObject(root, events, zone);
}

/** @param events of one UID, in a calendar that may hold others, too */
export function groupedObject(
  root: ICAL.Component,
  events: readonly ICAL.Component[],
  zone: string,
): ParsedObject {
  const [first] = events;
  if (!first) throw unusable("The object has no event.");
  const uid = uidOf(first);
  if (events.some((event) => uidOf(event) !== uid))
    throw unusable("An object has one UID.");
  const zones = zonesOf(root, zone);
  const all = events.map((event) => ({
    id: first && timeIn(event, "recurrence-id", zones),
    event: parseEvent(event, zones),
  }));
  const masters = all.filter(({ id }) => id === undefined);
  if (masters.length > 1) throw unusable("The object has two masters.");
  const master = (masters[0] ?? all[0])?.event;
  if (!master) throw unusable("The object has no event.");
  return {
    uid,
    master,
    overrides: masters[0]
      ? all.flatMap(({ id, event }) =>
          id === undefined ? [] : [{ ...event, recurrenceId: id }],
        )
      : [],
  };
}

export function uidOf(event: ICAL.Component): string {
  const uid = textOf(event, "uid").trim();
  if (uid === "" || uid.length > MAX_UID_LENGTH)
    throw unusable("An event has a UID of at most 1,000 characters.");
  return uid;
}

function unusable(message: string): CalendarDataError {
  return new CalendarDataError("valid-calendar-object-resource", message);
}

const STATUS = {
  CANCELLED: "cancelled",
  TENTATIVE: "tentative",
} as const;

function parseEvent(event: ICAL.Component, zones: ZoneNames): ParsedEvent {
  const start = timeIn(event, "dtstart", zones);
  if (!start) throw invalidData("An event has a start.");
  const status = textOf(event, "status").toUpperCase();
  const rule = event.getFirstProperty("rrule")?.toICALString();
  return {
    summary: textOf(event, "summary"),
    description: textOf(event, "description"),
    location: textOf(event, "location"),
    start,
    end: timeIn(event, "dtend", zones) ?? endByDuration(event, start),
    status:
      status === "CANCELLED" || status === "TENTATIVE"
        ? STATUS[status]
        : "confirmed",
    isTransparent: textOf(event, "transp").toUpperCase() === "TRANSPARENT",
    rule:
      rule === undefined ? undefined : checkRule(rule.replace(/^[^:]*:/, "")),
    added: timesIn(event, "rdate", zones),
    removed: timesIn(event, "exdate", zones),
  };
}

function textOf(event: ICAL.Component, name: string): string {
  const value = event.getFirstPropertyValue(name);
  return typeof value === "string" ? value : "";
}

function timeIn(
  event: ICAL.Component,
  name: string,
  zones: ZoneNames,
): ObjectTime | undefined {
  const property = event.getFirstProperty(name);
  return property ? readTime(property, zones) : undefined;
}

function endByDuration(
  event: ICAL.Component,
  start: ObjectTime,
): ObjectTime | undefined {
  const written = event.getFirstPropertyValue("duration")?.toString();
  if (written === undefined || written.startsWith("-")) return undefined;
  try {
    const duration = Temporal.Duration.from(written);
    return start.add(duration);
  } catch (error) {
    if (error instanceof RangeError)
      throw invalidData("A duration is malformed.");
    throw error;
  }
}
