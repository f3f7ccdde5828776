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

const link = (id: string) => ({ "@id": id, "@type": "@id" });

/** Terms that stand in the context only where a document uses them, by the name they are used under. */
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

/** What the rare terms are short for. */
const RARE_PREFIXES: JsonObject = {
  gts: "https://gotosocial.org/ns#",
  ical: "http://www.w3.org/2002/12/cal/ical#",
  litepub: "http://litepub.social/ns#",
  mz: "https://joinmobilizon.org/ns#",
  schema: "http://schema.org#",
};

/** Every term that we know a name for, to compact others' documents by. */
export const ALL_TERMS: JsonObject = {
  ...TERMS,
  ...RARE_PREFIXES,
  ...RARE_TERMS,
};

/**
 * Makes an object a document of its own: puts our `@context` in front of it, in place of one that it has. The
 * contexts of Multikeys and of integrity proofs, and the rarer terms, are added where the object uses them.
 */
export function withContext(object: JsonObject): JsonObject {
  const context: JsonValue[] = [ACTIVITYSTREAMS, SECURITY];
  if ("proof" in object) context.push(DATA_INTEGRITY);
  if (usesMultikeys(object)) context.push(...MULTIKEY);
  context.push({ ...TERMS, ...rareTermsOf(object) });
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

/** The rare terms among the names and types of a document, with the prefixes that they need. */
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
