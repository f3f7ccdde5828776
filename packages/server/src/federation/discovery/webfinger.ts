import { ActivityPubError, activityPubLink, parseJrd } from "@kith/activitypub";
import {
  FetchRefused,
  type GuardedFetch,
} from "../../lib/http-client/guarded-fetch.ts";
import { formatHandle, parseHandle, type Handle } from "../../lib/handle.ts";

/** A WebFinger response about one handle. */
export type WebfingerAnswer = {
  /** The subject of the response, in its canonical spelling. */
  readonly subject: Handle;
  /** The actor that it links to, if any. */
  readonly actorUri: string | undefined;
  /** The document itself, for diaspora*'s own relations. */
  readonly json: string;
};

const MAX_BYTES = 256 * 1024;

/**
 * Looks up a handle at its host (RFC 7033).
 * @returns undefined if it is unknown there, or the response is invalid
 */
export async function lookUpWebfinger(
  fetch: GuardedFetch,
  handle: Handle,
): Promise<WebfingerAnswer | undefined> {
  const resource = `acct:${formatHandle(handle)}`;
  const json = await ask(fetch, `https://${handle.host}`, resource);
  if (json === undefined) return undefined;
  const jrd = parseJrd(Buffer.from(json));
  const subject = parseHandle(jrd.subject ?? "");
  return subject && { subject, actorUri: activityPubLink(jrd), json };
}

/**
 * Asks a server for the owner of one of its pages: not every server serves
 * ActivityPub under the URL of a page.
 * @returns undefined if it does not say
 */
export async function lookUpPageOwner(
  fetch: GuardedFetch,
  page: URL,
): Promise<Handle | undefined> {
  try {
    const json = await ask(fetch, `https://${page.host}`, page.href);
    if (json === undefined) return undefined;
    return parseHandle(parseJrd(Buffer.from(json)).subject ?? "");
  } catch (error) {
    if (error instanceof FetchRefused || error instanceof ActivityPubError)
      return undefined;
    throw error;
  }
}

async function ask(
  fetch: GuardedFetch,
  origin: string,
  resource: string,
): Promise<string | undefined> {
  const asked = encodeURIComponent(resource);
  const answer = await fetch.request({
    method: "GET",
    url: `${origin}/.well-known/webfinger?resource=${asked}`,
    headers: { accept: "application/jrd+json, application/json" },
    maxBytes: MAX_BYTES,
    httpFallback: true,
    accept2xxOnly: true,
  });
  return answer.status === 200
    ? new TextDecoder().decode(answer.body)
    : undefined;
}
