import { base64Decode } from "../envelopes/base64.ts";
import { DiasporaError } from "../errors.ts";
import type { DiasporaErrorCode } from "../errors.ts";
import { isGuid, isHandle, normalizeHandle } from "../identifiers.ts";
import { toSpkiPem } from "../envelopes/keys.ts";
import { seedLocationOf } from "../locations.ts";
import { isHttpUrl } from "../values.ts";

const REL_HCARD = "http://microformats.org/profile/hcard";
const REL_SEED = "http://joindiaspora.com/seed_location";
const REL_PROFILE = "http://webfinger.net/rel/profile-page";
const REL_UPDATES = "http://schemas.google.com/g/2010#updates-from";
const REL_SUBSCRIBE = "http://ostatus.org/schema/1.0/subscribe";
const REL_GUID = "http://joindiaspora.com/guid";
const REL_KEY = "diaspora-public-key";
const ACTIVITYPUB_TYPE =
  /^(?:application\/activity\+json\b|application\/ld\+json\s*;.*https:\/\/www\.w3\.org\/ns\/activitystreams)/i;
const MAX_CHARACTERS = 256 * 1024;

/** A link of a JSON resource descriptor. */
export interface WebfingerLink {
  readonly rel: string;
  readonly type?: string;
  readonly href?: string;
  readonly template?: string;
}

/** The data of a diaspora* person in a WebFinger document. URLs are absolute, http or https. */
export interface WebfingerPerson {
  readonly handle: string;
  readonly hcardUrl: string;
  /** `scheme://host[:port]/`: the receiving server of the person. The path of the seed location is dropped. */
  readonly seedLocation: string;
  readonly profileUrl?: string;
  /** From Hubzilla, whose hCards may lack it. */
  readonly guid?: string;
  /** SPKI; from Hubzilla, likewise. */
  readonly publicKeyPem?: string;
  /** The actor id, if the person can be reached over ActivityPub too. */
  readonly activityPubUri?: string;
}

/**
 * Reads a WebFinger document (JSON) and checks that its subject is `handle`.
 * @throws {DiasporaError} stage `discovery`: `malformed_document`, `incomplete_document`, `subject_mismatch`,
 *   `invalid_property` or `too_large`
 * @see diaspora* federation protocol, Discovery; RFC 7033
 */
export function parseWebfinger(json: string, handle: string): WebfingerPerson {
  const document = parseDocument(json);
  const wanted = normalizeHandle(handle);
  if (
    !isHandle(wanted) ||
    typeof document.subject !== "string" ||
    normalizeHandle(document.subject) !== wanted
  ) {
    throw fault("subject_mismatch", "The document is about somebody else");
  }
  if (!Array.isArray(document.links)) {
    throw fault("incomplete_document", "No links");
  }
  const links = document.links.flatMap(readLink);
  const profileUrl = hrefOf(links, REL_PROFILE);
  if (profileUrl !== undefined && !isHttpUrl(profileUrl)) {
    throw fault("invalid_property", "The profile page is not absolute");
  }
  return {
    handle: wanted,
    hcardUrl: requiredUrl(links, REL_HCARD, "hCard"),
    seedLocation: seedLocationOf(requiredUrl(links, REL_SEED, "seed location")),
    ...(profileUrl !== undefined && { profileUrl }),
    ...readExtras(links),
  };
}

/**
 * The links that diaspora* servers look for, without the `self` link of ActivityPub.
 * @param person `baseUrl` is the server's, `username` is the part of the handle before the @
 * @see diaspora* federation protocol, WebFinger
 */
export function webfingerLinks(person: {
  readonly guid: string;
  readonly baseUrl: string;
  readonly username: string;
}): WebfingerLink[] {
  const base = seedLocationOf(person.baseUrl);
  const name = encodeURIComponent(person.username);
  return [
    {
      rel: REL_HCARD,
      type: "text/html",
      href: `${base}hcard/users/${person.guid}`,
    },
    { rel: REL_SEED, type: "text/html", href: base },
    { rel: REL_PROFILE, type: "text/html", href: `${base}u/${name}` },
    {
      rel: REL_UPDATES,
      type: "application/atom+xml",
      href: `${base}public/${name}.atom`,
    },
    { rel: "salmon", href: `${base}receive/users/${person.guid}` },
    { rel: REL_SUBSCRIBE, template: `${base}people?q={uri}` },
  ];
}

/**
 * Builds a whole WebFinger document, to be served as `application/jrd+json`.
 * @param document `links` from {@link webfingerLinks}, followed by those of other protocols
 * @throws {DiasporaError} stage `discovery`, `invalid_property` if `handle` is invalid
 * @see diaspora* federation protocol, WebFinger; RFC 7033
 */
export function buildWebfinger(document: {
  readonly handle: string;
  readonly aliases: readonly string[];
  readonly links: readonly WebfingerLink[];
}): string {
  const { handle, aliases, links } = document;
  if (!isHandle(handle)) throw fault("invalid_property", "Not a handle");
  return JSON.stringify({ subject: `acct:${handle}`, aliases, links });
}

function parseDocument(json: string): { subject?: unknown; links?: unknown } {
  if (json.length > MAX_CHARACTERS) {
    throw fault("too_large", "The document is larger than 256 KiB");
  }
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw fault("malformed_document", "The document is not JSON");
  }
  if (typeof value !== "object" || value === null) {
    throw fault("malformed_document", "The document is no JSON object");
  }
  return value;
}

function readLink(link: unknown): WebfingerLink[] {
  if (typeof link !== "object" || link === null) return [];
  const { rel, type, href }: Record<string, unknown> = { ...link };
  if (typeof rel !== "string") return [];
  return [
    {
      rel,
      ...(typeof type === "string" && { type }),
      ...(typeof href === "string" && { href }),
    },
  ];
}

function hrefOf(
  links: readonly WebfingerLink[],
  rel: string,
): string | undefined {
  return links.find((link) => link.rel === rel)?.href;
}

function requiredUrl(
  links: readonly WebfingerLink[],
  rel: string,
  what: string,
): string {
  const href = hrefOf(links, rel);
  if (href === undefined) throw fault("incomplete_document", `No ${what}`);
  if (!isHttpUrl(href)) {
    throw fault("invalid_property", `The ${what} is no absolute URL`);
  }
  return href;
}

/** Optional data; malformed values are dropped, because no pod uses them. */
function readExtras(
  links: readonly WebfingerLink[],
): Pick<WebfingerPerson, "guid" | "publicKeyPem" | "activityPubUri"> {
  const guid = hrefOf(links, REL_GUID);
  const publicKeyPem = readKey(hrefOf(links, REL_KEY));
  const activityPubUri = links.find(
    (link) => link.rel === "self" && ACTIVITYPUB_TYPE.test(link.type ?? ""),
  )?.href;
  return {
    ...(guid !== undefined && isGuid(guid) && { guid }),
    ...(publicKeyPem !== undefined && { publicKeyPem }),
    ...(activityPubUri !== undefined &&
      isHttpUrl(activityPubUri) && { activityPubUri }),
  };
}

function readKey(encoded: string | undefined): string | undefined {
  const pem = base64Decode(encoded ?? "")?.toString("utf8");
  if (!pem) return undefined;
  try {
    return toSpkiPem(pem);
  } catch {
    return undefined;
  }
}

function fault(code: DiasporaErrorCode, message: string): DiasporaError {
  return new DiasporaError("discovery", code, message);
}
