import type { JsonObject, JsonValue } from "../json/json-types.ts";

/** Drops undefined members; null and empty members break some peers. */
export function membersOf(members: {
  [name: string]: JsonValue | undefined;
}): JsonObject {
  const object: JsonObject = {};
  for (const [name, value] of Object.entries(members)) {
    if (value !== undefined) object[name] = value;
  }
  return object;
}

/**
 * Truncates a time to whole seconds, `YYYY-MM-DDTHH:MM:SSZ`: several peers parse nothing else.
 * @throws {RangeError} when the text is not a time: a mistake of the caller, not of a peer
 */
export function wholeSeconds(time: string): string;
export function wholeSeconds(time: string | undefined): string | undefined;
export function wholeSeconds(time: string | undefined): string | undefined {
  if (time === undefined) return undefined;
  return `${new Date(time).toISOString().slice(0, 19)}Z`;
}

/** Turns an empty text into undefined, so that it is not sent. */
export function unlessEmpty(text: string | undefined): string | undefined {
  return text === "" ? undefined : text;
}
