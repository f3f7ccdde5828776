import {
  ActivityPubError,
  addIntegrityProof,
  addLdSignature,
  PUBLIC,
  type JsonLd,
  type JsonObject,
} from "@kith/activitypub";
import type { Accounts } from "../../../features/accounts/index.ts";
import { usernameOf, type Person } from "../../../features/people/index.ts";
import type { Clock } from "../../../lib/time/clock.ts";
import type { Uris } from "../records/uris.ts";

export type SignDocumentDeps = {
  readonly accounts: Pick<Accounts, "getPrivateKey" | "getProofKey">;
  readonly clock: Clock;
  readonly uris: Uris;
  /**
   * Separate from the thread for remote documents, which may keep that busy.
   */
  readonly signingJsonLd: Pick<JsonLd, "canonize">;
};

/** Adds the author's proof: with it other servers can forward the document. */
export async function proveDocument(
  { accounts, clock, uris }: SignDocumentDeps,
  document: JsonObject,
  author: Person,
): Promise<JsonObject> {
  if (author.userId === null) return document;
  return addIntegrityProof(document, {
    keyId: uris.proofKey(usernameOf(author)),
    privateKey: await accounts.getProofKey(author.userId),
    now: clock.now(),
  });
}

/**
 * Adds an LD signature, for servers that accept nothing else from third
 * parties. Limited documents get none: it would prove their author to everyone.
 */
export async function signDocument(
  { accounts, clock, uris, signingJsonLd }: SignDocumentDeps,
  document: JsonObject,
  author: Person,
): Promise<JsonObject> {
  if (author.userId === null || !namesEverybody(document)) return document;
  const signer = {
    keyId: uris.key(usernameOf(author)),
    privateKey: await accounts.getPrivateKey(author.userId),
    now: clock.now(),
  };
  try {
    return await addLdSignature(document, signer, signingJsonLd);
  } catch (error) {
    // Too large for JSON-LD, as with hundreds of tags: it is sent without a
    // signature.
    if (error instanceof ActivityPubError) return document;
    throw error;
  }
}

/** Is it addressed to the Public collection? */
export function namesEverybody({ to, cc }: JsonObject): boolean {
  return [to, cc].some(
    (those) => Array.isArray(those) && those.includes(PUBLIC),
  );
}
