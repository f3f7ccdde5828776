import { hash } from "node:crypto";
import { signatureError } from "./errors.ts";

type DigestAlgorithm = "sha256" | "sha512";

const ALGORITHMS: ReadonlyMap<string, DigestAlgorithm> = new Map([
  ["sha-256", "sha256"],
  ["sha-512", "sha512"],
]);

/** The value of `Digest` for a body: `SHA-256=` and base64 (RFC 3230). */
export function digestHeader(body: Uint8Array): string {
  return `SHA-256=${hash("sha256", body, "base64")}`;
}

/** The value of `Content-Digest` for a body: `sha-256=:…:` (RFC 9530). */
export function contentDigestHeader(body: Uint8Array): string {
  return `sha-256=:${hash("sha256", body, "base64")}:`;
}

/**
 * Hashes the body and compares it with a received `Digest`. The header may list several digests; at least one must be
 * SHA-256 or SHA-512, and all of those must match.
 * @throws {ActivityPubError} `digest_mismatch`
 */
export function checkDigest(value: string, body: Uint8Array): void {
  checkDigests(value.split(","), /^([^=]+)=(.+)$/, body);
}

/**
 * The same for `Content-Digest`.
 * @throws {ActivityPubError} `digest_mismatch`
 */
export function checkContentDigest(value: string, body: Uint8Array): void {
  checkDigests(value.split(","), /^([^=]+)=:(.+):$/, body);
}

function checkDigests(
  entries: string[],
  pattern: RegExp,
  body: Uint8Array,
): void {
  // A header may list many entries, so hash the body only once for each algorithm.
  const actual = new Map<DigestAlgorithm, string>();
  for (const entry of entries) {
    const [, label = "", digest = ""] = pattern.exec(entry.trim()) ?? [];
    const algorithm = ALGORITHMS.get(label.trim().toLowerCase());
    if (algorithm === undefined) continue;
    const known = actual.get(algorithm) ?? hash(algorithm, body, "base64");
    actual.set(algorithm, known);
    // Digests are not secret, so they need no constant-time comparison.
    if (known !== digest) {
      throw signatureError("digest-mismatch", "The body has another digest");
    }
  }
  if (actual.size === 0) {
    throw signatureError("digest-mismatch", "No digest of a known algorithm");
  }
}
