import { isJsonArray, isJsonObject } from "./json/json.ts";
import type { JsonObject, JsonValue } from "./json/json-types.ts";

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
 * All terms that we use and that the two published contexts lack. They are defined inline, because a peer may fail to
 * fetch a context, and because plain JSON readers only look for the ActivityStreams URL.
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

const link = (id: string) => ({ "@id": id, "@type": "@id" });

/** Terms that are in the context only when a document uses them, by the name used in the document. */
const RARE_TERMS: JsonObject = {
  EmojiReact: "litepub:EmojiReact",
  PostalAddress: "schema:PostalAddress",
  PropertyValue: "schema:PropertyValue",
  QuoteAuthorization: "https://w3id.org/fep/044f#QuoteAuthorization",
  QuoteRequest: "https://w3id.org/fep/044f#QuoteRequest",
  _misskey_quote: "https://misskey-hub.net/ns#_misskey_quote",
  address: "schema:address",
  addressCountry: "schema:addressCountry",
  addressLocality: "schema:addressLocality",
  addressRegion: "schema:addressRegion",
  automaticApproval: link("gts:automaticApproval"),
  canQuote: link("gts:canQuote"),
  category: "schema:category",
  commentsEnabled: "https://joinpeertube.org/ns#commentsEnabled",
  description: "schema:description",
  directMessage: "litepub:directMessage",
  eventStatus: "schema:eventStatus",
  externalParticipationUrl: link("mz:externalParticipationUrl"),
  implements: link("https://w3id.org/fep/844e/implements"),
  inLanguage: "schema:inLanguage",
  indexable: "toot:indexable",
  interactingObject: link("gts:interactingObject"),
  interactionPolicy: link("gts:interactionPolicy"),
  interactionTarget: link("gts:interactionTarget"),
  isOnline: "mz:isOnline",
  joinMode: "mz:joinMode",
  maximumAttendeeCapacity: "schema:maximumAttendeeCapacity",
  participantCount: "mz:participantCount",
  participationMessage: "mz:participationMessage",
  postalCode: "schema:postalCode",
  quote: link("https://w3id.org/fep/044f#quote"),
  quoteAuthorization: link("https://w3id.org/fep/044f#quoteAuthorization"),
  quoteUri: "http://fedibird.com/ns#quoteUri",
  quoteUrl: "as:quoteUrl",
  remainingAttendeeCapacity: "schema:remainingAttendeeCapacity",
  status: "ical:status",
  streetAddress: "schema:streetAddress",
  suspended: "toot:suspended",
  timezone: "mz:timezone",
  value: "schema:value",
  votersCount: "toot:votersCount",
};

/** The prefixes used by the rare terms. */
const RARE_PREFIXES: JsonObject = {
  gts: "https://gotosocial.org/ns#",
  ical: "http://www.w3.org/2002/12/cal/ical#",
  litepub: "http://litepub.social/ns#",
  mz: "https://joinmobilizon.org/ns#",
  schema: "http://schema.org#",
};

/** All terms that we know, for compacting documents of other servers. */
export const ALL_TERMS: JsonObject = {
  ...TERMS,
  ...RARE_PREFIXES,
  ...RARE_TERMS,
};

/**
 * Makes an object a standalone document: adds our `@context`, replacing an existing one. The contexts of Multikeys and
 * of integrity proofs, and the rarer terms, are added when the object uses them.
 */
export function withContext(object: JsonObject): JsonObject {
  const context: JsonValue[] = [ACTIVITYSTREAMS, SECURITY];
  if ("proof" in object) context.push(DATA_INTEGRITY);
  if (usesMultikeys(object)) context.push(...MULTIKEY);
  context.push({ ...TERMS, ...rareTermsOf(object) });
  const { "@context": _, ...members } = object;
  return { "@context": context, ...members };
}

/** Adds the context of integrity proofs to a document before it is signed, ahead of our own terms. */
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

/** Checks the first level too, because an Update contains its actor document. */
function usesMultikeys(object: JsonObject): boolean {
  if ("assertionMethod" in object) return true;
  const inner = object["object"];
  return isJsonObject(inner) && "assertionMethod" in inner;
}

/** The rare terms among the names and types of a document, with the prefixes that they use. */
function rareTermsOf(object: JsonObject): JsonObject {
  const used = new Set<string>();
  collectNames(object, used);
  const terms: JsonObject = {};
  for (const [name, definition] of Object.entries(RARE_TERMS)) {
    if (!used.has(name)) continue;
    terms[name] = definition;
    const text = JSON.stringify(definition);
    for (const [prefix, iri] of Object.entries(RARE_PREFIXES)) {
      if (text.includes(`"${prefix}:`)) terms[prefix] = iri;
    }
  }
  return terms;
}

function collectNames(value: JsonValue, into: Set<string>): void {
  if (isJsonArray(value)) {
    for (const item of value) collectNames(item, into);
  } else if (isJsonObject(value)) {
    if (typeof value["type"] === "string") into.add(value["type"]);
    for (const [name, inner] of Object.entries(value)) {
      if (name === "@context") continue;
      into.add(name);
      collectNames(inner, into);
    }
  }
}
