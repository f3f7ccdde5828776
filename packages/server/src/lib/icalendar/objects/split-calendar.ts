import { createHash } from "node:crypto";
import type ICAL from "ical.js";
import { ical } from "../libraries.ts";
import type { Timestamp } from "../../time/clock.ts";
import {
  CalendarDataError,
  invalidData,
  parseStream,
} from "../calendar-data.ts";
import { writeRoot } from "./edit-object.ts";
import type { Property } from "../ical-text.ts";
import { hintsOf, type CalendarHints } from "./calendar-hints.ts";
import { uidOf } from "./parse-object.ts";
import { writeInUtc } from "../write-calendar.ts";

/** The events of one UID, as an object of their own. */
export type SplitObject = {
  readonly uid: string;
  readonly summary: string;
  readonly text: string;
  readonly version: ObjectVersion;
};

/** A later version has the higher sequence, then the later stamp. */
export type ObjectVersion = {
  readonly sequence: number;
  /** As the library writes it, which sorts by time. */
  readonly stamp: string;
};

export type SplitCalendar = {
  readonly objects: readonly SplitObject[];
  /** Tasks, journals, and events whose UID is unusable. */
  readonly ignored: number;
  readonly hints: CalendarHints;
};

/** Characters of a zone, with all its changes, in another form. */
const MAX_ZONE_LENGTH = 100_000;
/** Bytes of a file with many events. */
export const MAX_FILE_BYTES = 5 * 1024 * 1024;
/** Characters of all its objects: each has its own copy of a zone, which may be long. */
const MAX_TOTAL_LENGTH = 8 * 1024 * 1024;

/**
 * Splits a file, which may have several calendars, into one object for each UID, with the zones that
 * the file defines. Events without a UID get one from what they say, so that the same file makes the
 * same events.
 * @throws {CalendarDataError} `max-resource-size` or `valid-calendar-data`
 */
export function splitCalendar(text: string, now: Timestamp): SplitCalendar {
  const roots = parseStream(text, MAX_FILE_BYTES);
  const partsOf = (name: string) =>
    roots.flatMap((root) => root.getAllSubcomponents(name));
  const others = ["vtodo", "vjournal"].flatMap(partsOf);
  let ignored = others.length;
  const byUid = new Map<string, ICAL.Component[]>();
  for (const event of partsOf("vevent")) {
    complete(event, now);
    try {
      const uid = uidOf(event);
      const same = byUid.get(uid);
      if (same) same.push(event);
      else byUid.set(uid, [event]);
    } catch (error) {
      if (!(error instanceof CalendarDataError)) throw error;
      ignored += 1;
    }
  }
  const [first] = roots;
  if (!first) throw invalidData("The file has no calendar.");
  return {
    objects: objectsOf(byUid, distinctZones(partsOf("vtimezone"))),
    ignored,
    hints: hintsOf(first),
  };
}

/** @throws {CalendarDataError} `max-resource-size` */
function objectsOf(
  byUid: ReadonlyMap<string, readonly ICAL.Component[]>,
  zones: readonly ICAL.Component[],
): SplitObject[] {
  let length = 0;
  return [...byUid].map(([uid, events]) => {
    const object = objectOf(uid, events, zones);
    length += object.text.length;
    if (length > MAX_TOTAL_LENGTH)
      throw new CalendarDataError(
        "max-resource-size",
        "The events have zones that are too long.",
      );
    return object;
  });
}

/** Several calendars of a file may define the same zone. */
function distinctZones(zones: readonly ICAL.Component[]): ICAL.Component[] {
  const byName = new Map<string, ICAL.Component>();
  for (const zone of zones.filter(isUsual)) {
    const name = String(zone.getFirstPropertyValue("tzid"));
    if (!byName.has(name)) byName.set(name, zone);
  }
  return [...byName.values()];
}

/** Each object gets its own copy. A zone without its definition is understood by its name. */
function isUsual(zone: ICAL.Component): boolean {
  return JSON.stringify(zone.toJSON()).length <= MAX_ZONE_LENGTH;
}

function complete(event: ICAL.Component, now: Timestamp): void {
  if (!event.getFirstProperty("uid")) {
    const said = createHash("sha256").update(event.toString()).digest("hex");
    event.addPropertyWithValue("uid", `${said.slice(0, 32)}@import.invalid`);
  }
  if (event.getFirstProperty("dtstamp")) return;
  const stamp: Property = ["dtstamp", {}, "date-time", writeInUtc(now)];
  event.addProperty(new (ical().Property)([...stamp]));
}

function objectOf(
  uid: string,
  events: readonly ICAL.Component[],
  zones: readonly ICAL.Component[],
): SplitObject {
  const root = new (ical().Component)("vcalendar");
  root.addPropertyWithValue("version", "2.0");
  root.addPropertyWithValue("prodid", "-//Kith//Kith 1.0//EN");
  const used = new Set(events.flatMap(zonesIn));
  for (const zone of zones)
    if (used.has(String(zone.getFirstPropertyValue("tzid"))))
      root.addSubcomponent(copyOf(zone));
  for (const event of events) root.addSubcomponent(copyOf(event));
  const summary = events[0]?.getFirstPropertyValue("summary");
  return {
    uid,
    summary: typeof summary === "string" ? summary : "",
    text: writeRoot(root),
    version: versionOf(root),
  };
}

function zonesIn(event: ICAL.Component): string[] {
  return event.getAllProperties().flatMap((property) => {
    const tzid = property.getFirstParameter("tzid");
    return tzid ? [tzid] : [];
  });
}

function copyOf(component: ICAL.Component): ICAL.Component {
  return new (ical().Component)(
    structuredClone(component.toJSON()) as unknown[],
  );
}

/** Of the object with the highest sequence among its events. */
export function versionOf(root: ICAL.Component): ObjectVersion {
  const events = root.getAllSubcomponents("vevent");
  const sequences = events.map((event) =>
    Number(event.getFirstPropertyValue("sequence") ?? 0),
  );
  const stamps = events.map((event) =>
    String(event.getFirstPropertyValue("dtstamp") ?? ""),
  );
  const finite = sequences.filter((it) => Number.isSafeInteger(it));
  return {
    sequence: Math.max(0, ...finite),
    stamp: stamps.sort().at(-1) ?? "",
  };
}
