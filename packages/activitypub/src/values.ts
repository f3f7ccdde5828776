import { isJsonArray, isJsonObject } from "./json/json.ts";
import type { JsonObject, JsonValue } from "./json/json-types.ts";
import { fitsAsId, isHttpUrl } from "./urls.ts";

/** A reference to an object in ActivityStreams: its id, the embedded object, or both. */
export type ObjectRef = { id?: string; embedded?: JsonObject };

type Maybe = JsonValue | undefined;

/** Turns a single value or a list into a list; null and absent become an empty one. */
export function listOf(value: Maybe, limit = 10_000): JsonValue[] {
  if (value === undefined || value === null) return [];
  if (!isJsonArray(value)) return [value];
  return value.filter((item) => item !== null).slice(0, limit);
}

/** The first non-null value of a single value or a list. */
export function firstOf(value: Maybe): Maybe {
  if (!isJsonArray(value)) return value === null ? undefined : value;
  return value.find((item) => item !== null);
}

/**
 * A text that a database can store: lone surrogates become U+FFFD and NUL is dropped. Undefined for anything but a
 * non-empty string, since peers write "", null and nothing for the same.
 */
export function textOf(value: Maybe, maxLength = Infinity): string | undefined {
  const first = firstOf(value);
  if (typeof first !== "string" || first === "") return undefined;
  const short = first.length > maxLength ? first.slice(0, maxLength) : first;
  return cleanText(short);
}

function cleanText(text: string): string {
  const wellFormed = text.isWellFormed() ? text : text.toWellFormed();
  return wellFormed.includes("\0")
    ? wellFormed.replaceAll("\0", "")
    : wellFormed;
}

/** The id of an object given as string or embedded, in any form; one that is too long is none. */
export function idOf(value: Maybe): string | undefined {
  const first = firstOf(value);
  return idTextOf(isJsonObject(first) ? first["id"] : first);
}

/** An id given as string. Shortened, it would be another one. */
export function idTextOf(value: Maybe): string | undefined {
  const id = textOf(value);
  return id !== undefined && fitsAsId(id) ? id : undefined;
}

/** Like {@link idOf}, but only http and https URLs. */
export function httpIdOf(value: Maybe): string | undefined {
  const id = idOf(value);
  return id !== undefined && isHttpUrl(id) ? id : undefined;
}

/** The unique ids of one or many objects. Entries without an id are dropped. */
export function idListOf(value: Maybe, limit = 10_000): string[] {
  const ids = new Set<string>();
  for (const item of listOf(value, limit)) {
    const id = idOf(item);
    if (id !== undefined) ids.add(id);
  }
  return [...ids];
}

/** One reference for every object given as string or embedded; Links count by their `href`. */
export function refsOf(value: Maybe): ObjectRef[] {
  const refs: ObjectRef[] = [];
  for (const item of listOf(value)) {
    if (isJsonObject(item)) {
      const id = idTextOf(item["id"]) ?? idTextOf(item["href"]);
      refs.push(id === undefined ? { embedded: item } : { id, embedded: item });
    } else {
      const id = idTextOf(item);
      if (id !== undefined) refs.push({ id });
    }
  }
  return refs;
}

/** An http(s) URL given as string, as Link, or as a list of these; HTML pages come before other media types. */
export function urlOf(value: Maybe): string | undefined {
  const links = listOf(value, 100).flatMap((item) => linkOf(item) ?? []);
  const page = links.find((link) => link.mediaType?.startsWith("text/html"));
  return (page ?? links[0])?.url;
}

/** A string or Link as URL, with the Link's media type. */
export function linkOf(
  value: JsonValue,
): { url: string; mediaType?: string } | undefined {
  const text = isJsonObject(value)
    ? (textOf(value["href"]) ?? textOf(value["url"]))
    : textOf(value);
  const url = text?.trim();
  if (url === undefined || !isHttpUrl(url)) return undefined;
  const mediaType = isJsonObject(value)
    ? textOf(value["mediaType"], 255)
    : undefined;
  return mediaType === undefined ? { url } : { url, mediaType };
}

/**
 * The type of an object: a string, or a list in which exactly one entry is of the given types (or that has one entry).
 * An ambiguous list has no type, so that no two servers can read one document differently.
 */
export function typeOf(
  value: Maybe,
  known?: ReadonlySet<string>,
): string | undefined {
  const types = listOf(value, 20).filter((item) => typeof item === "string");
  if (types.length <= 1) return textOf(types[0], 255);
  const ours = types.filter((type) => known?.has(type) ?? false);
  return ours.length === 1 ? ours[0] : undefined;
}

/** The usual form. */
const IN_UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
const TIME =
  /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:?\d\d)?$/i;

/** Reads a time as `YYYY-MM-DDTHH:MM:SS.sssZ`; without an offset it is assumed to be UTC. */
export function timeOf(value: Maybe): string | undefined {
  const text = textOf(value, 64)?.trim();
  if (text === undefined) return undefined;
  const time = new Date(IN_UTC.test(text) ? text : inOneForm(text));
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

function inOneForm(text: string): string {
  const [, date = "", hours = "", offset = "Z"] = TIME.exec(text) ?? [];
  const zone = offset.toUpperCase().replace(/^(...)(\d\d)$/, "$1:$2");
  return `${date}T${hours}${zone}`;
}

/** Reads a whole number, clamped to 0 and 2^31 - 1. */
export function countOf(value: Maybe): number | undefined {
  const number = firstOf(value);
  if (typeof number !== "number") return undefined;
  return Math.min(Math.max(Math.trunc(number), 0), 2_147_483_647);
}

/** Whether a value is `true`, or the text "true" that some peers send. */
export function isTrue(value: Maybe): boolean {
  const first = firstOf(value);
  return first === true || first === "true";
}

const GUID = /^[0-9A-Za-z\-_@.:]{15,254}[0-9A-Za-z]$/;

/** The diaspora* guid of an object known in both protocols, if it is well-formed. */
export function guidOf(json: JsonObject): string | undefined {
  const guid = json["diaspora:guid"];
  return typeof guid === "string" && GUID.test(guid) ? guid : undefined;
}

/** Drops undefined members, as exact optional properties require. */
export function present<T extends object>(members: {
  [K in keyof T]: T[K] | undefined;
}): T {
  // Written out for speed, since it runs for every part of every message.
  const there: Partial<T> = {};
  for (const name in members)
    if (members[name] !== undefined) there[name] = members[name];
  return there as T;
}
