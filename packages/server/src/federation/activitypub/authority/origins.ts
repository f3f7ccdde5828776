import { httpOriginOf, sameOrigin } from "@kith/activitypub";

/**
 * Is the server of an actor authoritative for an id? It assigns ids of its own
 * origin only. The caller also checks that users of one server do not act for
 * each other.
 * @see FEP-fe34
 */
export function isOfServer(id: string, actorUri: string): boolean {
  return sameOrigin(id, actorUri);
}

/**
 * Scheme, host and port of a URL, which identify a server. @throws {TypeError}
 * for an invalid URL
 */
export function originOf(url: string): string {
  return httpOriginOf(url) ?? new URL(url).origin;
}
