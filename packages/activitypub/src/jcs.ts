import { ActivityPubError } from "./errors.ts";
import { isJsonArray, isJsonObject } from "./json.ts";
import type { JsonValue } from "./json-types.ts";

/**
 * Writes JSON in its one canonical form: members sorted by UTF-16 code units, no blanks, numbers and strings as
 * ECMAScript writes them (RFC 8785).
 * @throws {ActivityPubError} `unsupported` for a lone surrogate, which no UTF-8 can hold
 */
export function canonicalize(value: JsonValue): string {
  if (isJsonArray(value)) return `[${value.map(canonicalize).join(",")}]`;
  if (isJsonObject(value)) {
    const members = Object.keys(value)
      .sort()
      .map((name) => `${scalar(name)}:${canonicalize(value[name] ?? null)}`);
    return `{${members.join(",")}}`;
  }
  return scalar(value);
}

function scalar(value: string | number | boolean | null): string {
  if (typeof value === "string" && !value.isWellFormed()) {
    throw new ActivityPubError("unsupported", "A string that is not Unicode");
  }
  return JSON.stringify(value);
}
