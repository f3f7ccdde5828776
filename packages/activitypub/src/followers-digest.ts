import { hash } from "node:crypto";
import { ActivityPubError } from "./errors.ts";
import { parseParameters } from "./signatures/cavage.ts";
import { httpIdOf } from "./values.ts";

const DIGEST_BYTES = 32;

/** What a sender says of those of its followers who live on the receiver's server. */
export type FollowersSynchronization = {
  /** `followers` of the sender's actor document, to the byte. */
  collectionId: string;
  /** Where that server finds them, and nobody else. */
  url: string;
  /** Of their actor ids, by {@link followersDigest}. */
  digest: string;
};

/**
 * The digest of some followers by their actor ids, in whatever order: the SHA-256 of each, all of them combined with
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

/** The value of the header `Collection-Synchronization`. */
export function synchronizationHeader(said: FollowersSynchronization): string {
  const { collectionId, url, digest } = said;
  return `collectionId="${collectionId}", url="${url}", digest="${digest}"`;
}

const DIGEST = /^[0-9a-f]{64}$/;

/**
 * Reads the header `Collection-Synchronization`. Whether it is the sender's collection, and the sender's server where
 * it leads, is to be seen.
 * @returns undefined where it cannot be read
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
