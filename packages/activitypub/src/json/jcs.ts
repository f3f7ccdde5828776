import { ActivityPubError } from "../errors.ts";
import { isJsonArray, isJsonObject } from "./json.ts";
import type { JsonValue } from "./json-types.ts";

/**
 * Writes JSON in its one canonical form: members sorted by UTF-16 code units, no blanks, numbers and strings as
 * ECMAScript writes them (RFC 8785).
 * @throws {ActivityPubError} `unsupported` for a lone surrogate, which no UTF-8 can hold
 */
export function canonicalize(value: JsonValue): string {
  // All parts in one list: joined at each level, an inner text would be copied as often as it is deep.
  const parts: string[] = [];
  write(value, parts);
  return parts.join("");
}

function write(value: JsonValue, parts: string[]): void {
  let before = "";
  if (isJsonArray(value)) {
    parts.push("[");
    for (const item of value) {
      parts.push(before);
      write(item, parts);
      before = ",";
    }
    parts.push("]");
  } else if (isJsonObject(value)) {
    parts.push("{");
    for (const name of Object.keys(value).sort()) {
      parts.push(before, scalar(name), ":");
      write(value[name] ?? null, parts);
      before = ",";
    }
    parts.push("}");
  } else {
    parts.push(scalar(value));
  }
}

function scalar(value: string | number | boolean | null): string {
  if (typeof value === "string" && !value.isWellFormed()) {
    throw new ActivityPubError("unsupported", "A string that is not Unicode");
  }
  return JSON.stringify(value);
}
