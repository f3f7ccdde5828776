const MAX_URL_LENGTH = 2048;

/**
 * Reads a URL that another server sent as an id or address.
 * @returns undefined unless it is an absolute http or https URL of at most 2048 characters without user
 *   information
 */
export function parseHttpUrl(text: string): URL | undefined {
  if (text.length > MAX_URL_LENGTH || !/^https?:\/\//i.test(text)) {
    return undefined;
  }
  if (!hasShortLabels(text)) return undefined;
  const url = URL.parse(text);
  if (url === null || url.username !== "" || url.password !== "") {
    return undefined;
  }
  return url;
}

/** As far as the parser looks for a host: it skips blanks and further slashes in front of it. */
const AUTHORITY = /^https?:[\s/\\]*([^/\\?#]*)/i;
/** Of a part of a host's name (RFC 1035 §2.3.4). */
const MAX_LABEL = 63;

/** No longer label can be asked for, and encoding one that is not ASCII takes the square of its length. */
function hasShortLabels(text: string): boolean {
  const authority = AUTHORITY.exec(text)?.[1] ?? "";
  return authority
    .split(/[.\u3002\uff0e\uff61]/)
    .every((label) => label.length <= MAX_LABEL);
}

/**
 * Scheme and host as nearly everybody writes them: normalised already, without a port, and no address in numbers.
 * What follows a host cannot make a URL invalid.
 */
const PLAIN_ORIGIN = /^https?:\/\/(?:[a-z0-9]+[.-])*[a-z][a-z0-9]*(?=[/?#]|$)/;

/**
 * The origin of a URL that {@link parseHttpUrl} takes: scheme, host and port. Reading the whole URL costs several times
 * as much, and is done where this one is not plain.
 * @returns undefined where it does not take it
 */
export function httpOriginOf(text: string): string | undefined {
  if (text.length > MAX_URL_LENGTH) return undefined;
  return PLAIN_ORIGIN.exec(text)?.[0] ?? parseHttpUrl(text)?.origin;
}

/** Whether {@link parseHttpUrl} takes a text. */
export function isHttpUrl(text: string): boolean {
  return httpOriginOf(text) !== undefined;
}

/**
 * Whether two ids belong to one server: the same scheme, host and port after normalisation (case, IDN, default
 * port). False when either is no http(s) URL.
 * @see FEP-fe34, Origin
 */
export function sameOrigin(a: string, b: string): boolean {
  const first = httpOriginOf(a);
  return first !== undefined && first === httpOriginOf(b);
}

/** Whether `url` has the origin of `base` but for labels in front of its host. */
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

/** The address to ask for a key id or object id: the same without its fragment. */
export function withoutFragment(url: string): string {
  const hash = url.indexOf("#");
  return hash < 0 ? url : url.slice(0, hash);
}

/** Whether two http(s) URLs have one host name, on whatever port. */
export function isSameHost(a: string, b: string): boolean {
  if (sameOrigin(a, b)) return true;
  const first = parseHttpUrl(a);
  return first !== undefined && first.hostname === parseHttpUrl(b)?.hostname;
}
