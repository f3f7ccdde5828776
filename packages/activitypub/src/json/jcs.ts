import { ActivityPubError } from "../errors.ts";
import { isJsonArray, isJsonObject } from "./json.ts";
import type { JsonValue } from "./json-types.ts";

/**
 * Serializes JSON in its canonical form (RFC 8785): members sorted by UTF-16 code units, no white space, numbers and
 * strings as ECMAScript writes them.
 * @throws {ActivityPubError} `unsupported` for a lone surrogate, which UTF-8 cannot encode
 */
export function canonicalize(value: JsonValue): string {
  // Collect all parts in one list: joining at each level would copy an inner text once per level.
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
