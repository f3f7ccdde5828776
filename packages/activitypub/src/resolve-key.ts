import { ActivityPubError, signatureError } from "./errors.ts";
import { parseJson } from "./json/json.ts";
import type { JsonObject } from "./json/json-types.ts";
import { isSameKey } from "./keys.ts";
import type { JsonLd } from "./linked-data/json-ld.ts";
import { readPlainly } from "./linked-data/plain-reading.ts";
import { isFetchedContentType } from "./media-types.ts";
import { readActor } from "./read/read-actor.ts";
import type { RemoteActor } from "./read/read-actor.ts";
import { readKeyDocument } from "./read/read-key.ts";
import { isHttpUrl, sameOrigin, withoutFragment } from "./urls.ts";

/** An answer to a signed GET of an ActivityPub document, after redirects. */
export type FetchedDocument = {
  status: number;
  contentType?: string;
  /** The final address, when redirects led away from the requested one. */
  finalUrl?: string;
  body: Uint8Array;
};

/** Fetches a document. It must enforce the rules on addresses, sizes and redirects; undefined: no answer. */
export type FetchDocument = (
  url: string,
) => Promise<FetchedDocument | undefined>;

/** A key confirmed by its owner, to be stored under the full `keyId`. */
export type ResolvedKey = {
  keyId: string;
  /** Actor id. */
  owner: string;
  /** SPKI or PKCS#1, RSA or Ed25519. */
  pem: string;
};

/**
 * The result of resolving a key id.
 *
 * - `resolved`: with `actor`, the owner's document, if its own id answered with it just now, without a redirect
 * - `unavailable`: the key or its owner cannot be fetched; `gone` is 404 or 410, `unreachable` may be temporary
 * - `refused`: there was an answer, but it does not prove a key
 */
export type KeyResolution =
  | { kind: "resolved"; key: ResolvedKey; actor?: RemoteActor }
  | { kind: "unavailable"; reason: "gone" | "unreachable" }
  | {
      kind: "refused";
      reason:
        | "not-a-url"
        | "key-document-content-type"
        | "not-a-key-document"
        | "key-owner-not-confirmed";
    };

type Answer = DocumentAnswer | NotResolved;
type DocumentAnswer = { kind: "document"; json: JsonObject; url: string };
type NotResolved = Exclude<KeyResolution, { kind: "resolved" }>;

/**
 * Finds the key named by a signature, and its confirmed owner. `owner` of a key document alone proves nothing: the
 * owner's own document, fetched from its id, must have the same origin as the key and list the same key.
 * @param request `cached`: the stored key of this id, which is returned unchanged; omit it to fetch the key again after
 *   a signature failed, since keys are rotated under the same id
 */
export async function resolveKey(request: {
  keyId: string;
  cached?: ResolvedKey;
  fetchDocument: FetchDocument;
  jsonLd: Pick<JsonLd, "compact">;
}): Promise<KeyResolution> {
  const { keyId, cached } = request;
  if (cached !== undefined && cached.keyId === keyId) {
    return { kind: "resolved", key: cached };
  }
  if (!isHttpUrl(keyId)) return refused("not-a-url");
  const keyUrl = withoutFragment(keyId);
  const answer = await ask(keyUrl, request);
  if (answer.kind !== "document") return answer;
  const found = readKeyDocument(answer.json, keyId);
  if (found === undefined) return refused("not-a-key-document");
  const { owner, pem } = found;
  if (!sameOrigin(owner, keyId) || owner.includes("#")) {
    return refused("key-owner-not-confirmed");
  }
  // An actor served at its own id is its own confirmation; anything else only points to an actor.
  const own = owner === keyUrl ? confirm(answer.json, keyId, found) : undefined;
  if (own !== undefined) return resolved(keyId, own, pem, answer);
  if (owner === keyUrl) return refused("key-owner-not-confirmed");
  const ownerAnswer = await ask(owner, request);
  if (ownerAnswer.kind !== "document") return ownerAnswer;
  const actor = confirm(ownerAnswer.json, keyId, found);
  return actor === undefined
    ? refused("key-owner-not-confirmed")
    : resolved(keyId, actor, pem, ownerAnswer);
}

/**
 * Binds a verified signature to an activity: the owner of the key must be the activity's actor.
 * @throws {ActivityPubError} `signature_invalid`
 */
export function requireSigner(
  owner: string,
  activity: { actor: string },
): void {
  if (owner !== activity.actor) {
    throw signatureError(
      "actor-key-mismatch",
      "The key belongs to another actor than the activity",
    );
  }
}

async function ask(
  url: string,
  {
    fetchDocument,
    jsonLd,
  }: { fetchDocument: FetchDocument; jsonLd: Pick<JsonLd, "compact"> },
): Promise<Answer> {
  const fetched = await fetchDocument(url);
  if (fetched === undefined) return unavailable("unreachable");
  if (fetched.status === 404 || fetched.status === 410) {
    return unavailable("gone");
  }
  if (fetched.status !== 200) return unavailable("unreachable");
  if (!isFetchedContentType(fetched.contentType)) {
    return refused("key-document-content-type");
  }
  // After a redirect to another origin the answer speaks only for that origin.
  if (!sameOrigin(fetched.finalUrl ?? url, url)) {
    return refused("not-a-key-document");
  }
  try {
    const json = await readPlainly(parseJson(fetched.body), jsonLd);
    return { kind: "document", json, url: fetched.finalUrl ?? url };
  } catch (error) {
    if (error instanceof ActivityPubError) return refused("not-a-key-document");
    throw error;
  }
}

function confirm(
  json: JsonObject,
  keyId: string,
  found: { owner: string; pem: string },
): RemoteActor | undefined {
  let actor: RemoteActor;
  try {
    actor = readActor(json);
  } catch (error) {
    if (error instanceof ActivityPubError) return undefined;
    throw error;
  }
  if (actor.id !== found.owner) return undefined;
  const listed = actor.publicKeys.find((key) => key.id === keyId);
  return listed !== undefined && isSameKey(listed.pem, found.pem)
    ? actor
    : undefined;
}

function resolved(
  keyId: string,
  actor: RemoteActor,
  pem: string,
  { url }: DocumentAnswer,
): KeyResolution {
  const key = { keyId, owner: actor.id, pem };
  return url === actor.id
    ? { kind: "resolved", key, actor }
    : { kind: "resolved", key };
}

function unavailable(reason: "gone" | "unreachable"): NotResolved {
  return { kind: "unavailable", reason };
}

function refused(
  reason: Extract<NotResolved, { kind: "refused" }>["reason"],
): NotResolved {
  return { kind: "refused", reason };
}
