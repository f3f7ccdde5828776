import type ICAL from "ical.js";
import { createLruCache } from "../caching/lru-cache.ts";
import { EmbeddedZone, type Sample } from "./embedded-zone.ts";
import { windowsZones } from "./libraries.ts";
import { readTimeZone } from "../time/datetime.ts";

/** The zone of a `TZID`, which may be any name that a program made up. */
export type ZoneNames = (tzid: string) => NamedZone;

export type NamedZone = {
  /** An IANA name. */
  readonly name: string;
  /** The time there when it is this time by the rules of the object. */
  readonly toLocal: (written: Temporal.PlainDateTime) => Temporal.PlainDateTime;
};

/** A file has the same definition in each of thousands of objects, and finding its zone takes milliseconds. */
const found = createLruCache<string, NamedZone>({ max: 100 });
/** Of one object, more than any program writes. */
const MAX_ZONES = 10;
/** Longer than any program writes. */
const MAX_KEPT_LENGTH = 10_000;

/**
 * Finds the IANA zones of an object: by its name, by the name that Windows uses (the table of
 * CLDR), or by the rules in its `VTIMEZONE`.
 * @param fallback the zone of names that nothing explains; also preferred among zones with
 *   the same rules
 */
export function zonesOf(root: ICAL.Component, fallback: string): ZoneNames {
  const known = new Map<string, NamedZone>();
  return (tzid) => {
    const name = named(tzid);
    const zone =
      known.get(tzid) ??
      (name === undefined && known.size < MAX_ZONES
        ? byRulesOnce(definitionOf(root, tzid), tzid, fallback)
        : { name: name ?? fallback, toLocal: asWritten });
    known.set(tzid, zone);
    return zone;
  };
}

function byRulesOnce(
  definition: ICAL.Component | undefined,
  tzid: string,
  fallback: string,
): NamedZone {
  const key = [fallback, tzid, definition?.toString() ?? ""].join("\n");
  const zone = found.get(key) ?? byRules(definition, tzid, fallback);
  if (key.length <= MAX_KEPT_LENGTH) found.set(key, zone);
  return zone;
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

/**
 * The zone with the rules of a definition. Where none has them, times are taken to the nearest one:
 * those that are written keep their instants, and a series follows that zone.
 */
function byRules(
  definition: ICAL.Component | undefined,
  tzid: string,
  fallback: string,
): NamedZone {
  const embedded = definition && EmbeddedZone.read(definition);
  if (!embedded) return { name: fallback, toLocal: asWritten };
  const samples = embedded.sample();
  const all = Intl.supportedValuesOf("timeZone");
  const mentioned = all.filter((zone) => mentions(tzid, zone));
  let best = { name: fallback, equal: -1 };
  for (const name of [fallback, ...mentioned, ...all]) {
    const equal = countEqual(samples, name);
    if (equal === samples.length) return { name, toLocal: asWritten };
    if (equal > best.equal) best = { name, equal };
  }
  const { name } = best;
  const toLocal = (written: Temporal.PlainDateTime) =>
    embedded.toInstant(written).toZonedDateTimeISO(name).toPlainDateTime();
  return { name, toLocal };
}

const asWritten = (local: Temporal.PlainDateTime) => local;

/** Outlook writes `(UTC+02:00) Helsinki, Kyiv, Riga`. */
function mentions(tzid: string, zone: string): boolean {
  const city = zone.split("/").at(-1)?.replaceAll("_", " ") ?? zone;
  return isShort(tzid) && tzid.includes(city);
}

function countEqual(samples: readonly Sample[], zone: string): number {
  const isEqual = ({ at, offset }: Sample) =>
    at.toZonedDateTimeISO(zone).offsetNanoseconds === offset * 1e9;
  // Most zones differ at once.
  const [first] = samples;
  if (!first || !isEqual(first)) return 0;
  return samples.filter(isEqual).length;
}
