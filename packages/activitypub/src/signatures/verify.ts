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

/** The parsed signature of a request. Until it is verified, `keyId` is a claim. */
export type ParsedSignature = CavageSignature | Rfc9421Signature;

/**
 * Reads the signature of a request, without any cryptography: by RFC 9421 if there is a `Signature-Input` header,
 * otherwise by draft-cavage-http-signatures.
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
 * Runs the checks that need no key: the covered parts, the times, the host, and the digest of the body. Run it before
 * fetching a key; {@link verifyHttpSignature} repeats it.
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
 * The value of a header if the signature covers it, so that a verified signature proves that the signer sent it.
 * Undefined when the header is not covered or is repeated.
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
 * Verifies the signature of a request. When it returns, the holder of the key has signed this method, this target on
 * this server and this body, at a time from 12 hours ago to 1 hour ahead. It does not establish the owner of the key, or
 * that the owner is the activity's actor: see `resolveKey` and `requireSigner`.
 * @param key the public key of `parsed.keyId`; a KeyObject avoids importing it each time
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

/** The same, synchronously. */
export function verifyHttpSignatureSync(
  request: ReceivedRequest,
  parsed: ParsedSignature,
  key: KeyLike,
  options: VerifyOptions,
): void {
  const bases = inspect(request, parsed, options);
  const publicKey = publicKeyOf(key);
  const digest = digestFor(publicKey, parsed);
  // Verifying with RSA takes less time than passing the work to another thread.
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

/** The key determines the algorithm; a label may only agree with it. */
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
