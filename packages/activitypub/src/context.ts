import { isJsonArray, isJsonObject } from "./json.ts";
import type { JsonObject, JsonValue } from "./json-types.ts";

const ACTIVITYSTREAMS = "https://www.w3.org/ns/activitystreams";
const SECURITY = "https://w3id.org/security/v1";

/** Defines `proof` and its members. */
const DATA_INTEGRITY = "https://w3id.org/security/data-integrity/v1";

/** Define `assertionMethod` and the Multikeys in it; without them JSON-LD readers lose these keys silently. */
const MULTIKEY = [
  "https://www.w3.org/ns/did/v1",
  "https://w3id.org/security/multikey/v1",
];

/**
 * Every term that we use and the two published contexts lack. Defined in place, since a peer that has to fetch
 * a context may fail to, and since plain readers only look for the ActivityStreams URL.
 */
const TERMS: JsonObject = {
  Emoji: "toot:Emoji",
  Hashtag: "as:Hashtag",
  alsoKnownAs: { "@id": "as:alsoKnownAs", "@type": "@id" },
  blurhash: "toot:blurhash",
  conversation: "ostatus:conversation",
  diaspora: "https://diasporafoundation.org/ns/",
  discoverable: "toot:discoverable",
  featured: { "@id": "toot:featured", "@type": "@id" },
  focalPoint: { "@container": "@list", "@id": "toot:focalPoint" },
  manuallyApprovesFollowers: "as:manuallyApprovesFollowers",
  movedTo: { "@id": "as:movedTo", "@type": "@id" },
  ostatus: "http://ostatus.org#",
  sensitive: "as:sensitive",
  toot: "http://joinmastodon.org/ns#",
  webfinger: "https://purl.archive.org/socialweb/webfinger#webfinger",
};

/**
 * Makes an object a document of its own: puts our `@context` in front of it, in place of one that it has. The
 * contexts of Multikeys and of integrity proofs are added where the object uses them.
 */
export function withContext(object: JsonObject): JsonObject {
  const context: JsonValue[] = [ACTIVITYSTREAMS, SECURITY];
  if ("proof" in object) context.push(DATA_INTEGRITY);
  if (usesMultikeys(object)) context.push(...MULTIKEY);
  context.push(TERMS);
  const { "@context": _, ...members } = object;
  return { "@context": context, ...members };
}

/** Puts the context of integrity proofs into a document that is about to get one, before the terms of our own. */
export function withProofContext(document: JsonObject): JsonObject {
  const context = document["@context"];
  const present = isJsonArray(context)
    ? context
    : context === undefined
      ? [ACTIVITYSTREAMS]
      : [context];
  if (present.includes(DATA_INTEGRITY)) return document;
  const at = present.findIndex((entry) => typeof entry !== "string");
  const cut = at < 0 ? present.length : at;
  return {
    ...document,
    "@context": [
      ...present.slice(0, cut),
      DATA_INTEGRITY,
      ...present.slice(cut),
    ],
  };
}

/** An Update carries its actor document inside, so that the first level is looked at as well. */
function usesMultikeys(object: JsonObject): boolean {
  if ("assertionMethod" in object) return true;
  const inner = object["object"];
  return isJsonObject(inner) && "assertionMethod" in inner;
}
