import {
  ActivityPubError,
  createLdVerifier,
  importPublicKey,
  isPublicKey,
  readIntegrityProof,
  readLdSignature,
  sameOrigin,
  verifyIntegrityProof,
  type Activity,
  type JsonLd,
} from "@kith/activitypub";
import type { KeyObject } from "node:crypto";
import {
  createLruCache,
  type LruCache,
} from "../../../lib/caching/lru-cache.ts";
import { KithError } from "../../../lib/errors.ts";
import type { VerifyDeps } from "./verify-request.ts";

/**
 * The authentication of an activity, whoever sent it:
 *
 * - `proof`: its actor signed exactly this (FEP-8b32)
 * - `signature`: its actor signed its meaning as JSON-LD: enough to forward it,
 *   never to apply it
 * - `nothing`
 */
export type Vouched = "proof" | "signature" | "nothing";

/**
 * @param mayFetch may the key with this id be fetched? Asked only where no
 *   stored key verifies the document
 * @throws {KithError} `unavailable` if the actor's key cannot be fetched now
 */
export type VerifyDocument = (
  activity: Activity,
  mayFetch?: (keyId: string) => boolean,
) => Promise<Vouched>;

/** How long an invalid or unconfirmed key is not fetched again. */
const REFUSED_MS = 5 * 60_000;
const MAX_REFUSED = 10_000;

/**
 * Verifies the proof or signature of a document by a key in its actor's own
 * document.
 */
export function createVerifyDocument(
  deps: VerifyDeps & { readonly jsonLd: JsonLd },
): VerifyDocument {
  const refused: Refused = createLruCache({
    ...{ max: MAX_REFUSED, keepMs: REFUSED_MS, clock: deps.clock },
  });
  return async ({ actor, raw }, mayFetch = () => true) => {
    const fits = (keyId: string | undefined, check: Check) =>
      keyId !== undefined && sameOrigin(keyId, actor)
        ? tryKeys(deps, refused, { keyId, actor, check, mayFetch })
        : false;
    const proof = readIntegrityProof(raw);
    const isProved = await fits(proof?.verificationMethod, (key) => {
      verifyIntegrityProof(raw, key);
    });
    if (isProved) return "proof";
    const signature = readLdSignature(raw);
    const verify = createLdVerifier(raw, deps.jsonLd);
    const isSigned = await fits(signature?.creator, verify);
    return isSigned ? "signature" : "nothing";
  };
}

/** The ids of keys. */
type Refused = LruCache<string, true>;

type Check = (key: KeyObject) => void | Promise<void>;

type Attempt = {
  readonly keyId: string;
  readonly actor: string;
  readonly check: Check;
  readonly mayFetch: (keyId: string) => boolean;
};

/** First the stored key; if it does not fit, it may have been rotated. */
async function tryKeys(
  deps: VerifyDeps,
  refused: Refused,
  { keyId, actor, check, mayFetch }: Attempt,
): Promise<boolean> {
  const stored = await deps.remotePeople.findKey(keyId);
  const owner = stored && (await deps.people.find({ id: stored.personId }));
  if (stored && owner?.addresses.actorUri !== actor) return false;
  const isUsable = stored !== undefined && isPublicKey(stored.publicKeyPem);
  if (isUsable && (await passes(check, importPublicKey(stored.publicKeyPem))))
    return true;
  if (refused.get(keyId)) return false;
  if (!mayFetch(keyId))
    throw new KithError("unavailable", "Its server is asked too often.");
  const fetched = await findOnNetwork(deps, keyId);
  const isGood =
    fetched?.owner.addresses.actorUri === actor &&
    (await passes(check, fetched.key));
  if (isGood) return true;
  refused.set(keyId, true);
  return false;
}

async function findOnNetwork(deps: VerifyDeps, keyId: string) {
  try {
    return await deps.fetchKey(keyId);
  } catch (error) {
    const isRefusal = error instanceof ActivityPubError;
    if (
      isRefusal ||
      (error instanceof KithError && error.code !== "unavailable")
    )
      return undefined;
    throw error;
  }
}

async function passes(check: Check, key: KeyObject): Promise<boolean> {
  try {
    await check(key);
    return true;
  } catch (error) {
    if (error instanceof ActivityPubError) return false;
    throw error;
  }
}
