import type { IncomingHttpHeaders } from "node:http";
import fresh from "fresh";

/**
 * Has the client this very version already, by its `If-None-Match`: a list, weak
 * or not, or a star (RFC 9110 §13.1.2)? What else it says of caches is not for us:
 * programs that keep the answers themselves send `Cache-Control: no-cache`.
 */
export function isKnown(headers: IncomingHttpHeaders, etag: string): boolean {
  return fresh({ "if-none-match": headers["if-none-match"] }, { etag });
}
