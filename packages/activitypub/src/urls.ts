/** The longest id or address, in UTF-8: databases limit what they index. */
const MAX_BYTES = 2048;
/** The most that one UTF-16 unit takes in UTF-8. */
const MAX_UNIT_BYTES = 3;

/** Whether a text fits as an id or address: at most 2048 bytes in UTF-8. */
export function fitsAsId(text: string): boolean {
  if (text.length > MAX_BYTES) return false;
  return (
    text.length * MAX_UNIT_BYTES <= MAX_BYTES ||
    Buffer.byteLength(text) <= MAX_BYTES
  );
}

/**
 * Parses a URL that another server sent as an id or address.
 * @returns undefined unless it is an absolute http or https URL of at most 2048 bytes without user
 *   information
 */
export function parseHttpUrl(text: string): URL | undefined {
  if (!fitsAsId(text) || !/^https?:\/\//i.test(text)) {
    return undefined;
  }
  if (!hasShortLabels(text)) return undefined;
  const url = URL.parse(text);
  if (url === null || url.username !== "" || url.password !== "") {
    return undefined;
  }
  return url;
}

/** The host as the URL parser finds it: it skips blanks and additional slashes in front. */
const AUTHORITY = /^https?:[\s/\\]*([^/\\?#]*)/i;
/** The longest label of a host name (RFC 1035 §2.3.4). */
const MAX_LABEL = 63;

/** Longer labels cannot be resolved, and encoding a non-ASCII one takes quadratic time. */
function hasShortLabels(text: string): boolean {
  const authority = AUTHORITY.exec(text)?.[1] ?? "";
  return authority
    .split(/[.\u3002\uff0e\uff61]/)
    .every((label) => label.length <= MAX_LABEL);
}

/**
 * Scheme and host in the usual form: already normalized, without a port, and not a numeric address. The rest of the text
 * cannot make the URL invalid.
 */
const PLAIN_ORIGIN = /^https?:\/\/(?:[a-z0-9]+[.-])*[a-z][a-z0-9]*(?=[/?#]|$)/;

/**
 * The origin of a URL that {@link parseHttpUrl} accepts: scheme, host and port. Parsing the whole URL costs several times
 * as much, and is done only for unusual forms.
 * @returns undefined for any other text
 */
export function httpOriginOf(text: string): string | undefined {
  if (!fitsAsId(text)) return undefined;
  return PLAIN_ORIGIN.exec(text)?.[0] ?? parseHttpUrl(text)?.origin;
}

/** Whether {@link parseHttpUrl} accepts a text. */
export function isHttpUrl(text: string): boolean {
  return httpOriginOf(text) !== undefined;
}

/**
 * Whether two ids belong to the same server: the same scheme, host and port after normalization (case, IDN, default
 * port). False when either is not an http(s) URL.
 * @see FEP-fe34, Origin
 */
export function sameOrigin(a: string, b: string): boolean {
  const first = httpOriginOf(a);
  return first !== undefined && first === httpOriginOf(b);
}

/** Whether `url` has the origin of `base`, possibly with additional labels in front of the host. */
export function isSameOriginOrSubdomain(url: string, base: string): boolean {
  const inner = parseHttpUrl(url);
  const outer = parseHttpUrl(base);
  if (inner === undefined || outer === undefined) return false;
  if (inner.origin === outer.origin) return true;
  return (
    inner.protocol === outer.protocol &&
    inner.port === outer.port &&
    inner.hostname.endsWith(`.${outer.hostname}`)
  );
}

/** The address for fetching a key id or object id: the id without its fragment. */
export function withoutFragment(url: string): string {
  const hash = url.indexOf("#");
  return hash < 0 ? url : url.slice(0, hash);
}

/** Whether two http(s) URLs have the same host name, on any port. */
export function isSameHost(a: string, b: string): boolean {
  if (sameOrigin(a, b)) return true;
  const first = parseHttpUrl(a);
  return first !== undefined && first.hostname === parseHttpUrl(b)?.hostname;
}
