/** The public collection (ActivityPub §5.6). */
export const PUBLIC = "https://www.w3.org/ns/activitystreams#Public";

/** The type of every ActivityPub document that we send, byte for byte, without a charset (ActivityPub §3.2). */
export const CONTENT_TYPE =
  'application/ld+json; profile="https://www.w3.org/ns/activitystreams"';

const ACTIVITY_JSON = "application/activity+json";
const LD_JSON = "application/ld+json";
const PROFILE = "https://www.w3.org/ns/activitystreams";

/**
 * Whether a request's `Accept` header prefers an ActivityPub document over the HTML page at the same address: it names
 * one of the two types, with or without the profile, with a weight above 0 and not below that of `text/html` (RFC 9110
 * §12.5.1). At equal weights a named type wins over a wildcard that covers the page, and otherwise the type named
 * first wins.
 */
export function acceptsActivityPub(accept: string | undefined): boolean {
  if (accept === undefined || accept.length > 8192) return false;
  const ranges = splitOutsideQuotes(accept, ",").map(readMediaType);
  const wanted = bestOf(ranges.filter(({ base }) => isEitherType(base)));
  if (!wanted || weightOf(wanted) === 0) return false;
  const page = pageRangeOf(ranges);
  const difference = weightOf(wanted) - (page ? weightOf(page) : 0);
  if (difference !== 0 || !page) return difference > 0;
  return (
    page.base !== PAGE_RANGES[0] ||
    ranges.indexOf(wanted) < ranges.indexOf(page)
  );
}

/** The ranges that cover a page, the most precise first: that one determines its weight. */
const PAGE_RANGES = ["text/html", "text/*", "*/*"];

function pageRangeOf(ranges: readonly MediaType[]): MediaType | undefined {
  for (const name of PAGE_RANGES) {
    const found = bestOf(ranges.filter(({ base }) => base === name));
    if (found) return found;
  }
  return undefined;
}

/** The first of those with the highest weight. */
function bestOf(ranges: readonly MediaType[]): MediaType | undefined {
  let best: MediaType | undefined;
  for (const range of ranges)
    if (!best || weightOf(range) > weightOf(best)) best = range;
  return best;
}

/** From 0 to 1; 0 for anything else. */
function weightOf({ parameters }: MediaType): number {
  const weight = Number(parameters.get("q") ?? 1);
  return weight > 0 && weight <= 1 ? weight : 0;
}

/** Whether a POST to an inbox declares ActivityPub; parameters are ignored, because peers differ in them. */
export function isActivityPubContentType(
  contentType: string | undefined,
): boolean {
  if (contentType === undefined) return false;
  return isEitherType(readMediaType(contentType).base);
}

/**
 * Whether a fetched document may be trusted as ActivityPub: `application/activity+json`, or `application/ld+json` with
 * the ActivityStreams profile. Anything else may be a file that a user uploaded to the same host (CVE-2024-25623).
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

type MediaType = {
  readonly base: string;
  readonly parameters: ReadonlyMap<string, string>;
};

function readMediaType(text: string): MediaType {
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
