import type { IncomingHttpHeaders } from "node:http";
import fresh from "fresh";

/**
 * Does the client have this version already, by its `If-None-Match`: a list,
 * weak or not, or a star (RFC 9110 §13.1.2)? `Cache-Control: no-cache` is
 * ignored: programs with a cache of their own send it.
 */
export function isNotModified(
  headers: IncomingHttpHeaders,
  etag: string,
): boolean {
  return fresh({ "if-none-match": headers["if-none-match"] }, { etag });
}
