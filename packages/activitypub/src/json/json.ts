import { ActivityPubError } from "../errors.ts";
import { JsonReader } from "./json-reader.ts";
import type { JsonObject, JsonValue } from "./json-types.ts";

/** Limits of {@link parseJson}. */
export type JsonLimits = {
  /** Bytes of the whole document; 1 MiB by default. */
  maxBytes?: number;
  /** Nesting depth of objects and arrays; 100 by default. */
  maxDepth?: number;
};

const DEFAULT_MAX_BYTES = 1_048_576;
const DEFAULT_MAX_DEPTH = 100;

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Parses a document from another server: strict UTF-8 without a byte order mark, an object at the top, no duplicate
 * names in an object (I-JSON, RFC 7493 §2), numbers within the range of a double. Members named `__proto__`,
 * `constructor` and `prototype` are dropped.
 * @throws {ActivityPubError} `malformed_json`
 */
export function parseJson(
  bytes: Uint8Array,
  limits: JsonLimits = {},
): JsonObject {
  const maxBytes = limits.maxBytes ?? DEFAULT_MAX_BYTES;
  if (bytes.byteLength > maxBytes) {
    throw new ActivityPubError(
      "malformed_json",
      `More than ${maxBytes} bytes of JSON`,
    );
  }
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw new ActivityPubError("malformed_json", "Not UTF-8");
  }
  const value = new JsonReader(
    text,
    limits.maxDepth ?? DEFAULT_MAX_DEPTH,
  ).readDocument();
  if (!isJsonObject(value)) {
    throw new ActivityPubError("malformed_json", "Not a JSON object");
  }
  return value;
}

/** Serializes a document as JSON text, keeping the order of its members. */
export function serialize(object: JsonObject): string {
  return JSON.stringify(object);
}

/** Whether a value is a JSON object, and neither null nor an array. */
export function isJsonObject(
  value: JsonValue | undefined,
): value is JsonObject {
  return typeof value === "object" && value !== null && !isJsonArray(value);
}

/** Whether a value is an array; `Array.isArray` does not narrow a readonly one. */
export function isJsonArray(
  value: JsonValue | undefined,
): value is readonly JsonValue[] {
  return Array.isArray(value);
}
