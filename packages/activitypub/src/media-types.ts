/** The collection that stands for everybody (ActivityPub §5.6). */
export const PUBLIC = "https://www.w3.org/ns/activitystreams#Public";

/** The type of every ActivityPub document that we send: byte for byte, without a charset (ActivityPub §3.2). */
export const CONTENT_TYPE =
  'application/ld+json; profile="https://www.w3.org/ns/activitystreams"';

const ACTIVITY_JSON = "application/activity+json";
const LD_JSON = "application/ld+json";
const PROFILE = "https://www.w3.org/ns/activitystreams";

/**
 * Whether a request's `Accept` header asks for an ActivityPub document: one of the two types anywhere in the
 * list, with or without the profile, with a weight above 0. Browsers' lists and wildcards do not.
 */
export function acceptsActivityPub(accept: string | undefined): boolean {
  if (accept === undefined || accept.length > 8192) return false;
  return splitOutsideQuotes(accept, ",").some((part) => {
    const { base, parameters } = readMediaType(part);
    return isEitherType(base) && !isWeightZero(parameters.get("q"));
  });
}

/** Whether a POST to an inbox says that it brings ActivityPub; parameters are ignored, as peers differ in them. */
export function isActivityPubContentType(
  contentType: string | undefined,
): boolean {
  if (contentType === undefined) return false;
  return isEitherType(readMediaType(contentType).base);
}

/**
 * Whether a fetched document may be believed to be ActivityPub: `application/activity+json`, or
 * `application/ld+json` whose profile names ActivityStreams. Anything else may be somebody's upload on the same
 * host (CVE-2024-25623).
 */
export function isFetchedContentType(contentType: string | undefined): boolean {
  if (contentType === undefined) return false;
  const { base, parameters } = readMediaType(contentType);
  if (base === ACTIVITY_JSON) return true;
  if (base !== LD_JSON) return false;
  return (parameters.get("profile") ?? "").split(/\s+/).includes(PROFILE);
}

function isEitherType(base: string): boolean {
  return base === ACTIVITY_JSON || base === LD_JSON;
}

function isWeightZero(weight: string | undefined): boolean {
  return weight !== undefined && !(Number(weight) > 0);
}

function readMediaType(text: string): {
  base: string;
  parameters: Map<string, string>;
} {
  const [base = "", ...rest] = splitOutsideQuotes(text, ";");
  const parameters = new Map<string, string>();
  for (const part of rest) {
    const equals = part.indexOf("=");
    if (equals < 0) continue;
    const name = part.slice(0, equals).trim().toLowerCase();
    const value = part.slice(equals + 1).trim();
    if (!parameters.has(name)) parameters.set(name, unquote(value));
  }
  return { base: base.trim().toLowerCase(), parameters };
}

function unquote(value: string): string {
  if (value.length < 2 || !value.startsWith('"') || !value.endsWith('"')) {
    return value;
  }
  return value.slice(1, -1).replaceAll(/\\(.)/g, "$1");
}

function splitOutsideQuotes(text: string, separator: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') quoted = !quoted;
    else if (quoted && character === "\\") at += 1;
    else if (!quoted && character === separator) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  parts.push(text.slice(start));
  return parts;
}
