import type { IncomingHttpHeaders } from "node:http";

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;

/**
 * Does a form come from another site? Browsers send `Origin` or
 * `Sec-Fetch-Site`; other clients send neither and pass. Sandboxed or
 * privacy-sensitive pages send `Origin: null`.
 */
export function isFromElsewhere(
  headers: Pick<IncomingHttpHeaders, "origin" | "sec-fetch-site">,
  baseUrl: string,
): boolean {
  const { origin, "sec-fetch-site": site } = headers;
  if (site !== undefined && site !== "same-origin" && site !== "none")
    return true;
  return origin !== undefined && !isOwnOrigin(origin, baseUrl);
}

function isOwnOrigin(origin: string, baseUrl: string): boolean {
  const own = new URL(baseUrl);
  const given = URL.parse(origin);
  if (given === null) return false;
  if (given.origin === own.origin) return true;
  // A server on this machine has several loopback names.
  return (
    LOOPBACK.test(own.hostname) &&
    LOOPBACK.test(given.hostname) &&
    given.protocol === own.protocol &&
    given.port === own.port
  );
}
