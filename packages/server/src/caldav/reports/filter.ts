import {
  matchesObject,
  type ObjectConditions,
  type PropertyCondition,
} from "../../lib/icalendar/objects/match-object.ts";
import type { Range } from "../../lib/icalendar/occurrences.ts";
import { DavError } from "../dav-error.ts";
import { findChild, listChildren, type XmlElement } from "../xml/read-xml.ts";
import { CALDAV } from "../xml/write-xml.ts";
import { readRange } from "./read-range.ts";

/** The conditions of a `calendar-query` on the events of a calendar. */
export type QueryFilter = {
  /** No event can match, such as one that looks for tasks. */
  readonly matchesNothing: boolean;
  readonly range: Range | undefined;
  /** Does it look at more than times? */
  readonly readsText: boolean;
  /** Do the properties of the object match? Times are another question. */
  readonly matches: (ical: string) => boolean;
};

const MAX_FILTERS = 50;

/**
 * Reads a `filter` (RFC 4791, section 9.7).
 * @throws {DavError} `supported-filter` or `valid-filter`
 */
export function readQueryFilter(filter: XmlElement | undefined): QueryFilter {
  const [calendar, ...others] = filter
    ? listChildren(filter, CALDAV, "comp-filter")
    : [];
  if (!calendar || others.length > 0 || nameOf(calendar) !== "vcalendar")
    throw new DavError(403, [CALDAV, "valid-filter"]);
  const parts = listChildren(calendar, CALDAV, "comp-filter");
  refuseOthers(calendar, ["comp-filter", "prop-filter"]);
  const wanted = parts.map(readComponent);
  const ranges = wanted.flatMap(({ range }) => (range ? [range] : []));
  if (ranges.length > 1) throw unsupported();
  const conditions: ObjectConditions = {
    ofCalendar: listChildren(calendar, CALDAV, "prop-filter").map(readProperty),
    ofEvent: wanted.flatMap(({ ofEvent }) => ofEvent),
    inside: wanted.flatMap(({ inside }) => inside),
  };
  const count = Object.values(conditions).flat().length;
  if (count > MAX_FILTERS) throw unsupported();
  return {
    matchesNothing: wanted.some((it) => it.matchesNothing),
    range: ranges[0],
    readsText: count > 0,
    matches: (ical) => matchesObject(ical, conditions),
  };
}

/** A condition that is not understood would let everything through. */
function refuseOthers(
  { children }: XmlElement,
  known: readonly string[],
): void {
  if (!children.every(({ name }) => known.includes(name))) throw unsupported();
}

function unsupported(): DavError {
  return new DavError(403, [CALDAV, "supported-filter"]);
}

function nameOf({ attributes }: XmlElement): string {
  return (attributes["name"] ?? "").toLowerCase();
}

const isAbsent = (it: XmlElement) =>
  findChild(it, CALDAV, "is-not-defined") !== undefined;

/** A calendar here has events alone. */
function readComponent(component: XmlElement): {
  readonly matchesNothing: boolean;
  readonly range?: Range;
} & Pick<ObjectConditions, "inside" | "ofEvent"> {
  const isEvent = nameOf(component) === "vevent";
  if (!isEvent || isAbsent(component))
    return {
      matchesNothing: isEvent === isAbsent(component),
      ...{ ofEvent: [], inside: [] },
    };
  refuseOthers(component, ["time-range", "prop-filter", "comp-filter"]);
  const range = findChild(component, CALDAV, "time-range");
  return {
    matchesNothing: false,
    ...(range && { range: readRange(range) }),
    ofEvent: listChildren(component, CALDAV, "prop-filter").map(readProperty),
    inside: listChildren(component, CALDAV, "comp-filter").map((inner) => {
      if (!isAbsent(inner) && inner.children.length > 0) throw unsupported();
      return { name: nameOf(inner), isAbsent: isAbsent(inner) };
    }),
  };
}

function readProperty(filter: XmlElement): PropertyCondition {
  refuseOthers(filter, ["is-not-defined", "text-match", "param-filter"]);
  return {
    ...readValue(filter),
    parameters: listChildren(filter, CALDAV, "param-filter").map(readValue),
  };
}

function readValue(filter: XmlElement) {
  const match = findChild(filter, CALDAV, "text-match");
  return {
    name: nameOf(filter),
    isAbsent: isAbsent(filter),
    matches: match && readMatch(match, nameOf(filter)),
  };
}

/** Letters of ASCII alone are folded (RFC 4790, section 9.2). */
const folded = (text: string) =>
  text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** Programs distinguish keywords by their case. */
const usualCollation = (name: string) =>
  name === "categories" ? "i;octet" : "i;ascii-casemap";

function readMatch({ attributes, text }: XmlElement, name: string) {
  const collation = attributes["collation"] ?? usualCollation(name);
  if (!["i;ascii-casemap", "i;octet", "i;unicode-casemap"].includes(collation))
    throw new DavError(403, [CALDAV, "supported-collation"]);
  const isNegated = attributes["negate-condition"] === "yes";
  const asCompared = (it: string) =>
    collation === "i;octet" ? it : folded(it);
  const wanted = asCompared(text);
  return (value: string): boolean =>
    asCompared(value).includes(wanted) !== isNegated;
}
