import { hash } from "node:crypto";
import { ActivityPubError } from "./errors.ts";
import { parseParameters } from "./signatures/cavage.ts";
import { httpIdOf } from "./values.ts";

const DIGEST_BYTES = 32;

/** A sender's statement about its followers on the receiving server. */
export type FollowersSynchronization = {
  /** `followers` of the sender's actor document, byte for byte. */
  collectionId: string;
  /** The URL of this partial collection, readable only by that server. */
  url: string;
  /** The digest of their actor ids, see {@link followersDigest}. */
  digest: string;
};

/**
 * Computes the digest of a set of followers from their actor ids, in any order: the SHA-256 of each id, combined with
 * XOR, in lower-case hexadecimal.
 * @see FEP-8fcf, Partial follower collection digest
 */
export function followersDigest(actorIds: Iterable<string>): string {
  const digest = Buffer.alloc(DIGEST_BYTES);
  for (const id of new Set(actorIds)) {
    const one = hash("sha256", id, "buffer");
    for (let at = 0; at < DIGEST_BYTES; at++)
      digest[at] = (digest[at] ?? 0) ^ (one[at] ?? 0);
  }
  return digest.toString("hex");
}

/** Builds the value of the header `Collection-Synchronization`. */
export function synchronizationHeader(said: FollowersSynchronization): string {
  const { collectionId, url, digest } = said;
  return `collectionId="${collectionId}", url="${url}", digest="${digest}"`;
}

const DIGEST = /^[0-9a-f]{64}$/;

/**
 * Reads the header `Collection-Synchronization`. The caller must check that the collection belongs to the sender and
 * that the URL is on the sender's server.
 * @returns undefined when the header cannot be read
 */
export function readSynchronizationHeader(
  value: string,
): FollowersSynchronization | undefined {
  const parameters = readParameters(value);
  const collectionId = httpIdOf(parameters?.get("collectionid"));
  const url = httpIdOf(parameters?.get("url"));
  const digest = parameters?.get("digest")?.toLowerCase() ?? "";
  return collectionId && url && DIGEST.test(digest)
    ? { collectionId, url, digest }
    : undefined;
}

function readParameters(value: string): Map<string, string> | undefined {
  try {
    return parseParameters(value);
  } catch (error) {
    if (error instanceof ActivityPubError) return undefined;
    throw error;
  }
}
