import { activityPubLink, parseJrd } from "@kith/activitypub";
import type { GuardedFetch } from "../../lib/guarded-fetch.ts";
import { formatHandle, parseHandle, type Handle } from "../../lib/handle.ts";

/** A WebFinger answer about one handle. */
export type Fingered = {
  /** The handle that the answer is about, in its canonical spelling. */
  readonly subject: Handle;
  /** The actor that it names, if any. */
  readonly actorUri: string | undefined;
  /** The document itself, for what only diaspora* reads. */
  readonly json: string;
};

const MAX_BYTES = 256 * 1024;

/**
 * Asks a handle's host who that is (RFC 7033).
 * @returns undefined where it does not know, or answers nonsense
 */
export async function finger(
  fetch: GuardedFetch,
  handle: Handle,
): Promise<Fingered | undefined> {
  const resource = encodeURIComponent(`acct:${formatHandle(handle)}`);
  const answer = await fetch.request({
    method: "GET",
    url: `https://${handle.host}/.well-known/webfinger?resource=${resource}`,
    headers: { accept: "application/jrd+json, application/json" },
    maxBytes: MAX_BYTES,
    httpFallback: true,
    accept2xxOnly: true,
  });
  if (answer.status !== 200) return undefined;
  const jrd = parseJrd(answer.body);
  const subject = parseHandle(jrd.subject ?? "");
  if (!subject) return undefined;
  const json = new TextDecoder().decode(answer.body);
  return { subject, actorUri: activityPubLink(jrd), json };
}
