/** Shows the code to the person, who types it into the app. */
export const OUT_OF_BAND = "urn:ietf:wg:oauth:2.0:oob";

export const MAX_REDIRECT_URIS = 20;
const MAX_LENGTH = 2000;

/** Of RFC 3986, without a fragment. */
const URI = /^[a-z][a-z0-9+.-]*:[a-z0-9\-._~:/?[\]@!$&'()*+,;=%]+$/i;

/** Schemes that run or show something in a browser itself. */
const REFUSED = new Set([
  ...["javascript", "data", "vbscript", "file", "filesystem", "blob"],
  ...["about", "view-source", "chrome", "resource", "jar", "urn"],
  ...["ws", "wss", "ftp", "mailto", "tel", "sms", "intent"],
]);

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Splits a list of redirect URIs, as registrations have it: no URI contains white space.
 * @returns each once
 */
export function splitRedirectUris(
  given: string | readonly string[],
): readonly string[] {
  const all = typeof given === "string" ? [given] : given;
  const uris = all.flatMap((uri) => uri.split(/\s+/));
  return [...new Set(uris.filter((uri) => uri !== ""))];
}

/**
 * May an app be sent codes there? `https` anywhere, `http` on the person's own machine, a
 * scheme of the app, or the page that shows the code (RFC 8252, section 7).
 */
export function isRedirectUri(uri: string): boolean {
  if (uri === OUT_OF_BAND) return true;
  if (uri.length > MAX_LENGTH || !URI.test(uri)) return false;
  const scheme = uri.slice(0, uri.indexOf(":")).toLowerCase();
  if (scheme !== "https" && scheme !== "http") return !REFUSED.has(scheme);
  const url = URL.parse(uri);
  // A name before the host looks like the host, and an empty one is parsed away.
  return (
    url !== null &&
    /^https?:\/\/[^/@?]+(?:[/?]|$)/i.test(uri) &&
    (scheme === "https" || LOOPBACK.test(url.hostname))
  );
}

/**
 * A redirect URI with parameters. The text stays as it was registered: parsing would change
 * `app://` and the like.
 */
export function addParameters(
  uri: string,
  parameters: Readonly<Record<string, string | undefined>>,
): string {
  const given = Object.entries(parameters).filter(
    (pair): pair is [string, string] => pair[1] !== undefined,
  );
  // Apps of telephones read a plus as a plus.
  const query = new URLSearchParams(given).toString().replaceAll("+", "%20");
  const between = !uri.includes("?") ? "?" : /[?&]$/.test(uri) ? "" : "&";
  return uri + between + query;
}
