import { verify } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { signatureError } from "../errors.ts";
import { publicKeyOf } from "../keys.ts";
import type { KeyLike } from "../keys.ts";
import { parseCavage } from "./cavage.ts";
import type { CavageSignature } from "./cavage.ts";
import { headerValue, indexHeaders } from "./request.ts";
import type { ReceivedRequest } from "./request.ts";
import { parseRfc9421 } from "./rfc9421.ts";
import type { Rfc9421Signature } from "./rfc9421.ts";
import type { VerifyOptions } from "./rules.ts";
import { inspectCavage } from "./verify-cavage.ts";
import { inspectRfc9421 } from "./verify-rfc9421.ts";

/** A signature that was read from a request. Until it is verified, `keyId` is a claim. */
export type ParsedSignature = CavageSignature | Rfc9421Signature;

/**
 * Reads the signature of a request, without any cryptography: by RFC 9421 when there is a `Signature-Input`
 * header, else by draft-cavage-http-signatures.
 * @throws {ActivityPubError} `signature_missing` or `signature_malformed`
 */
export function parseHttpSignature(request: ReceivedRequest): ParsedSignature {
  const lines = indexHeaders(request);
  const signature = headerValue(lines, "signature");
  const input = headerValue(lines, "signature-input");
  if (signature === undefined) {
    throw signatureError("no-signature", "The request is not signed");
  }
  return input === undefined
    ? parseCavage(signature)
    : parseRfc9421(input, signature);
}

/**
 * Checks all that needs no key: what is covered, the times, our name, and the digest of the body. Worth doing
 * before a key is fetched; {@link verifyHttpSignature} does it in any case.
 * @throws {ActivityPubError} as {@link verifyHttpSignature}
 */
export function checkHttpSignature(
  request: ReceivedRequest,
  parsed: ParsedSignature,
  options: VerifyOptions,
): void {
  inspect(request, parsed, options);
}

/**
 * The value of a header that the signature covers: whoever holds the key has said it, once the signature is
 * verified. Undefined where it is not covered, or stands more than once.
 */
export function signedHeader(
  request: ReceivedRequest,
  parsed: ParsedSignature,
  name: string,
): string | undefined {
  const covered =
    parsed.scheme === "cavage" ? parsed.headers : parsed.components;
  if (!covered.includes(name)) return undefined;
  const values = request.headers.filter(
    ([header]) => header.toLowerCase() === name,
  );
  return values.length === 1 ? values[0]?.[1].trim() : undefined;
}

/**
 * Verifies the signature of a request. When it returns, whoever holds the key has signed this method, this
 * target on this server, this body, at a time from 12 hours ago to 1 hour ahead. Whose key it is, and whether
 * that is the actor of the activity, is not known by this: see `resolveKey` and `requireSigner`.
 * @param key the public key of `parsed.keyId`; a KeyObject spares importing it each time
 * @throws {ActivityPubError} `signature_invalid`, `signature_expired`, `digest_mismatch`,
 *   `signature_malformed` or `unsupported`
 */
export async function verifyHttpSignature(
  request: ReceivedRequest,
  parsed: ParsedSignature,
  key: KeyLike,
  options: VerifyOptions,
): Promise<void> {
  verifyHttpSignatureSync(request, parsed, key, options);
}

/** The same at once: nothing in it waits. */
export function verifyHttpSignatureSync(
  request: ReceivedRequest,
  parsed: ParsedSignature,
  key: KeyLike,
  options: VerifyOptions,
): void {
  const bases = inspect(request, parsed, options);
  const publicKey = publicKeyOf(key);
  const digest = digestFor(publicKey, parsed);
  // Verifying with RSA takes less time than handing the work to another thread.
  for (const base of bases) {
    if (verify(digest, base, publicKey, parsed.signature)) return;
  }
  throw signatureError("bad-signature", "The signature does not fit");
}

function inspect(
  request: ReceivedRequest,
  parsed: ParsedSignature,
  options: VerifyOptions,
): Uint8Array[] {
  if (!request.path.startsWith("/")) {
    throw signatureError("malformed-signature-header", "Not a path");
  }
  return parsed.scheme === "cavage"
    ? inspectCavage(request, parsed, options)
    : inspectRfc9421(request, parsed, options);
}

/** The key decides about the algorithm; a label may only agree with it. */
function digestFor(key: KeyObject, parsed: ParsedSignature): "sha256" | null {
  const label = parsed.algorithm;
  const isNeutral = label === undefined || label === "hs2019";
  if (key.asymmetricKeyType === "rsa") {
    if (isNeutral || label.startsWith("rsa-")) return "sha256";
  } else if (key.asymmetricKeyType === "ed25519") {
    if (isNeutral || label === "ed25519") return null;
  }
  throw signatureError(
    "unsupported-algorithm",
    "Another algorithm than the key",
  );
}
