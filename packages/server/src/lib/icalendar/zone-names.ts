import type ICAL from "ical.js";
import { windowsZones } from "./libraries.ts";
import { readTimeZone } from "../time/datetime.ts";

/** The zone of a `TZID`, which may be any name that a program made up. */
export type ZoneNames = (tzid: string) => string;

/**
 * Finds the IANA zones of an object: by its name, by the name that Windows uses (the table of
 * CLDR), or by the offsets in its `VTIMEZONE`.
 * @param fallback the zone of names that nothing explains; also preferred among zones with
 *   the same offsets
 */
export function zonesOf(root: ICAL.Component, fallback: string): ZoneNames {
  const known = new Map<string, string>();
  return (tzid) => {
    const found =
      known.get(tzid) ??
      named(tzid) ??
      byOffsets(definitionOf(root, tzid), fallback);
    known.set(tzid, found);
    return found;
  };
}

/** Programs also write `/mozilla.org/20050126_1/Europe/Berlin` and quote names. */
function named(tzid: string): string | undefined {
  const name = tzid.trim().replace(/^"(.*)"$/, "$1");
  const [windows] = isShort(name) ? windowsZones().findIana(name) : [];
  const last = /(?:^|\/)([A-Za-z]+(?:\/[\w+-]+){1,2})$/.exec(name)?.[1];
  const shorter = last?.split("/").slice(-2).join("/");
  return (
    readTimeZone(name) ??
    windows ??
    (last === undefined ? undefined : readTimeZone(last)) ??
    (shorter === undefined ? undefined : readTimeZone(shorter))
  );
}

const isShort = (name: string) => name.length < 100;

function definitionOf(
  root: ICAL.Component,
  tzid: string,
): ICAL.Component | undefined {
  return root
    .getAllSubcomponents("vtimezone")
    .find((zone) => zone.getFirstPropertyValue("tzid") === tzid);
}

/** Some zone whose offsets of this summer and winter are those of the definition. */
function byOffsets(
  definition: ICAL.Component | undefined,
  fallback: string,
): string {
  const standard = offsetIn(definition, "standard");
  const daylight = offsetIn(definition, "daylight") ?? standard;
  if (standard === undefined || daylight === undefined) return fallback;
  const wanted = [standard, daylight].sort().join();
  const all = [fallback, ...Intl.supportedValuesOf("timeZone")];
  return all.find((zone) => offsetsOf(zone) === wanted) ?? fallback;
}

/** The offset of the last observance, such as `+01:00`. */
function offsetIn(
  definition: ICAL.Component | undefined,
  kind: "daylight" | "standard",
): string | undefined {
  const offset = definition
    ?.getAllSubcomponents(kind)
    .at(-1)
    ?.getFirstPropertyValue("tzoffsetto");
  return offset?.toString();
}

const SOLSTICES = ["2026-01-10T12:00:00Z", "2026-07-10T12:00:00Z"].map((at) =>
  Temporal.Instant.from(at),
);

function offsetsOf(zone: string): string {
  return SOLSTICES.map((at) => at.toZonedDateTimeISO(zone).offset)
    .sort()
    .join();
}
