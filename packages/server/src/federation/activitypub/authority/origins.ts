import { httpOriginOf, sameOrigin } from "@kith/activitypub";

/**
 * Whether the server of an actor has the say over an id: it gives ids of its own
 * origin, and no others. That one user of a server may not speak for another one
 * is looked at besides.
 * @see FEP-fe34
 */
export function isOfServer(id: string, actorUri: string): boolean {
  return sameOrigin(id, actorUri);
}

/** Scheme, host and port of a URL, which name a server. @throws {TypeError} where it is no URL */
export function originOf(url: string): string {
  return httpOriginOf(url) ?? new URL(url).origin;
}
