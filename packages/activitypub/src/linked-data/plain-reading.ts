import { isPublicAddress } from "../audience.ts";
import { ALL_TERMS } from "../context.ts";
import { ActivityPubError } from "../errors.ts";
import { isJsonArray, isJsonObject } from "../json/json.ts";
import type { JsonObject, JsonValue } from "../json/json-types.ts";
import { listOf } from "../values.ts";
import { checkJsonLdBounds } from "./json-ld-bounds.ts";
import type { JsonLd } from "./json-ld.ts";

const ACTIVITYSTREAMS = "https://www.w3.org/ns/activitystreams";
const NAMESPACE = `${ACTIVITYSTREAMS}#`;
const SECURITY = "https://w3id.org/security/v1";

/** Members that must have the same value for plain JSON readers and for JSON-LD readers. */
const DECISIVE = ["actor", "attributedTo", "object", "id", "to", "cc"] as const;
/** Keywords that put values elsewhere in a document than plain readers look for them. */
const RESTRUCTURING = ["@graph", "@included", "@reverse"];
/** The depth to which a chain of `object` is checked: an Undo of an Accept of a Follow. */
const MAX_DEPTH = 5;

/**
 * Makes a document readable as plain JSON. Nearly all documents are already, and are returned unchanged. When a context
 * in the document renames terms of ActivityStreams, the usual names are restored, with bundled contexts only; a context
 * URL that is not bundled is ignored.
 * @param jsonLd compacts a document that renames terms, within {@link JSON_LD_BOUNDS}
 * @throws {ActivityPubError} `unsupported` when actor, attributedTo, object, id, to or cc differ between JSON-LD and
 *   plain JSON, when the document is not JSON-LD, and when it exceeds the bounds
 */
export async function readPlainly(
  document: JsonObject,
  jsonLd: Pick<JsonLd, "compact">,
): Promise<JsonObject> {
  if (!renamesTerms(document)) return document;
  checkJsonLdBounds(document);
  const compacted = await jsonLd.compact(document, [
    ACTIVITYSTREAMS,
    SECURITY,
    ALL_TERMS,
  ]);
  return merge(document, compacted, 0);
}

/** Whether any context in a document renames a term of ActivityStreams, `@id` or `@type`, or redefines a decisive name, so that the document needs JSON-LD processing. */
export function renamesTerms(value: JsonValue): boolean {
  if (isJsonArray(value)) return value.some(renamesTerms);
  if (!isJsonObject(value)) return false;
  for (const name in value) {
    const inner = value[name] ?? null;
    const renames =
      name === "@context"
        ? listOf(inner).some((one) => isJsonObject(one) && isRenaming(one))
        : typeof inner === "object" && renamesTerms(inner);
    if (renames) return true;
  }
  return false;
}

function isRenaming(context: JsonObject): boolean {
  return Object.entries(context).some(([term, definition]) => {
    // A context within a term definition.
    if (renamesTerms(definition)) return true;
    const iri = expand(context, definition);
    if (iri === undefined) return isDecisive(term);
    if (iri === "@id" || iri === "@type") return iri !== `@${term}`;
    if (isDecisive(term)) return iri !== meaningOf(term);
    if (RESTRUCTURING.includes(iri)) return true;
    return (
      iri.startsWith(NAMESPACE) &&
      iri !== NAMESPACE &&
      iri.slice(NAMESPACE.length) !== term
    );
  });
}

function isDecisive(term: string): boolean {
  return (
    term === "type" ||
    term === "as" ||
    (DECISIVE as readonly string[]).includes(term)
  );
}

function meaningOf(term: string): string {
  if (term === "id" || term === "type") return `@${term}`;
  return term === "as" ? NAMESPACE : NAMESPACE + term;
}

/** The IRI of a definition; prefixes count as defined by the same context or by ActivityStreams. */
function expand(
  context: JsonObject,
  definition: JsonValue,
): string | undefined {
  const id = isJsonObject(definition)
    ? "@reverse" in definition
      ? "@reverse"
      : definition["@id"]
    : definition;
  if (typeof id !== "string") return undefined;
  const colon = id.indexOf(":");
  if (colon < 0) return id;
  const prefix = id.slice(0, colon);
  const own = context[prefix];
  if (typeof own === "string" && own !== id) return own + id.slice(colon + 1);
  return prefix === "as" ? NAMESPACE + id.slice(colon + 1) : id;
}

/** The compacted form plus members that only the plain form has, when both agree in the decisive members. */
function merge(
  plain: JsonObject,
  compacted: JsonObject,
  depth: number,
): JsonObject {
  for (const keyword of RESTRUCTURING)
    if (keyword in compacted)
      throw new ActivityPubError("unsupported", `A document with ${keyword}`);
  for (const name of DECISIVE)
    if (namesIn(plain[name]) !== namesIn(compacted[name]))
      throw new ActivityPubError(
        "unsupported",
        `Its context makes ${name} mean something else`,
      );
  const { "@context": context, ...members } = { ...compacted, ...plain };
  const merged: JsonObject = {
    ...(context === undefined ? {} : { "@context": context }),
    ...members,
  };
  const inner = merged["object"];
  const compactedInner = compacted["object"];
  if (!isJsonObject(inner) || !isJsonObject(compactedInner)) return merged;
  if (depth >= MAX_DEPTH)
    throw new ActivityPubError("unsupported", "Objects in objects, renamed");
  return { ...merged, object: merge(inner, compactedInner, depth + 1) };
}

/** The ids that a value names: single or list, in any order, as strings or embedded. */
function namesIn(value: JsonValue | undefined): string {
  const names = listOf(value).map((item) => {
    const id = isJsonObject(item) ? (item["id"] ?? item["@id"]) : item;
    return typeof id === "string" && isPublicAddress(id)
      ? "as:Public"
      : JSON.stringify(id ?? null);
  });
  return names.sort().join(" ");
}
