import { isJsonObject, parseJson } from "./json/json.ts";
import type { JsonObject } from "./json/json-types.ts";
import { CONTENT_TYPE, isFetchedContentType } from "./media-types.ts";
import { isHttpUrl } from "./urls.ts";
import { listOf, present, textOf } from "./values.ts";

/** A link of a WebFinger response (RFC 7033 §4.4.4). */
export type WebfingerLink = {
  rel: string;
  type?: string;
  href?: string;
  template?: string;
};

/** A WebFinger response (RFC 7033 §4.4). */
export type Jrd = {
  subject?: string;
  aliases: string[];
  links: WebfingerLink[];
};

const MAX_LINKS = 100;

/**
 * Parses a WebFinger response; links without a rel are dropped.
 * @throws {ActivityPubError} `malformed_json`
 */
export function parseJrd(json: string | Uint8Array): Jrd {
  const bytes = typeof json === "string" ? Buffer.from(json) : json;
  const jrd = parseJson(bytes);
  const links = listOf(jrd["links"], MAX_LINKS).filter(isJsonObject);
  return present<Jrd>({
    subject: textOf(jrd["subject"], 2048),
    aliases: listOf(jrd["aliases"], MAX_LINKS).flatMap(
      (alias) => textOf(alias, 2048) ?? [],
    ),
    links: links.flatMap((link) => readLink(link) ?? []),
  });
}

function readLink(link: JsonObject): WebfingerLink | undefined {
  const rel = textOf(link["rel"], 2048);
  if (rel === undefined) return undefined;
  return present<WebfingerLink>({
    rel,
    type: textOf(link["type"], 255),
    href: textOf(link["href"], 2048),
    template: textOf(link["template"], 2048),
  });
}

/** The actor id in a WebFinger response: its first `self` link with an ActivityPub type. */
export function activityPubLink(jrd: Jrd): string | undefined {
  return jrd.links.find(
    (link) =>
      link.rel === "self" &&
      isFetchedContentType(link.type) &&
      link.href !== undefined &&
      isHttpUrl(link.href),
  )?.href;
}

/**
 * The links by which other servers find our actor. The `activity+json` link comes first, because Misskey takes the first
 * `self` link of any type. Both contain the canonical actor id. The links of the profile page and of the remote follow
 * form are added elsewhere, once for all protocols.
 * @param actorUri canonical id of the actor
 */
export function actorWebfingerLinks(actorUri: string): WebfingerLink[] {
  return [
    { rel: "self", type: "application/activity+json", href: actorUri },
    { rel: "self", type: CONTENT_TYPE, href: actorUri },
  ];
}

/**
 * Builds a WebFinger response, to be served as `application/jrd+json`.
 * @param jrd `subject` in its canonical spelling, `acct:user@host[:port]`; `links` of all protocols, without duplicates
 * @see RFC 7033 §4.4
 */
export function buildJrd(jrd: {
  subject: string;
  aliases: string[];
  links: WebfingerLink[];
}): string {
  const { subject, aliases, links } = jrd;
  return JSON.stringify({ subject, aliases, links });
}
