import { KeyObject, createPublicKey } from "node:crypto";
import { decodeBase58, encodeBase58 } from "./proofs/base58.ts";
import { ActivityPubError } from "./errors.ts";

/** A key as imported by Node.js, or as PEM. Import it once and keep it: importing costs more than verifying. */
export type KeyLike = KeyObject | string;

const MIN_RSA_BITS = 1024;
const MAX_RSA_BITS = 8192;
/** The cost of verifying grows with the exponent; a hostile one costs a hundred times the usual. In use are 65537, and 3, 17, 35 or 37 from old tools. */
const MAX_RSA_EXPONENT = 65_537n;
const MAX_PEM_LENGTH = 16_384;

/** SubjectPublicKeyInfo of an Ed25519 key, without the 32 bytes of the key itself (RFC 8410 §4). */
const ED25519_SPKI = Buffer.from("302a300506032b6570032100", "hex");
/** Multicodec `ed25519-pub` as a varint. */
const ED25519_CODEC = Buffer.from([0xed, 0x01]);

/**
 * Imports the public key of an actor: SPKI or PKCS#1 in PEM, RSA of 1024 to 8192 bits with an odd exponent
 * from 3 to 65537, or Ed25519.
 * @throws {ActivityPubError} `unsupported` for anything else, a private key included
 */
export function importPublicKey(pem: string): KeyObject {
  if (
    pem.length > MAX_PEM_LENGTH ||
    !/^\s*-----BEGIN (RSA )?PUBLIC KEY-----/.test(pem)
  ) {
    throw new ActivityPubError("unsupported", "Not a public key in PEM");
  }
  let key: KeyObject;
  try {
    key = createPublicKey(pem.trim());
  } catch {
    throw new ActivityPubError(
      "unsupported",
      "A public key that does not parse",
    );
  }
  if (!isUsableKey(key)) {
    throw new ActivityPubError("unsupported", "A key of another type or size");
  }
  return key;
}

/** Whether {@link importPublicKey} accepts the key. */
export function isPublicKey(pem: string): boolean {
  try {
    importPublicKey(pem);
    return true;
  } catch (error) {
    if (error instanceof ActivityPubError) return false;
    throw error;
  }
}

/** Returns the key object, importing a PEM. */
export function publicKeyOf(key: KeyLike): KeyObject {
  return key instanceof KeyObject ? key : importPublicKey(key);
}

function isUsableKey(key: KeyObject): boolean {
  if (key.asymmetricKeyType === "ed25519") return true;
  if (key.asymmetricKeyType !== "rsa") return false;
  const { modulusLength = 0, publicExponent = 0n } =
    key.asymmetricKeyDetails ?? {};
  return (
    modulusLength >= MIN_RSA_BITS &&
    modulusLength <= MAX_RSA_BITS &&
    publicExponent >= 3n &&
    publicExponent <= MAX_RSA_EXPONENT &&
    publicExponent % 2n === 1n
  );
}

/** Encodes an Ed25519 public key as `publicKeyMultibase` of a Multikey (FEP-521a). */
export function encodeMultikey(key: KeyObject): string {
  if (key.asymmetricKeyType !== "ed25519" || key.type !== "public") {
    throw new ActivityPubError("unsupported", "Not an Ed25519 public key");
  }
  const spki = key.export({ format: "der", type: "spki" });
  const raw = spki.subarray(ED25519_SPKI.length);
  return `z${encodeBase58(Buffer.concat([ED25519_CODEC, raw]))}`;
}

/** Decodes `publicKeyMultibase`; undefined unless it is an Ed25519 key in base58btc (FEP-521a). */
export function decodeMultikey(multibase: string): KeyObject | undefined {
  if (!multibase.startsWith("z")) return undefined;
  const bytes = decodeBase58(multibase.slice(1));
  if (bytes?.length !== 34 || bytes[0] !== 0xed || bytes[1] !== 0x01) {
    return undefined;
  }
  const spki = Buffer.concat([ED25519_SPKI, bytes.subarray(2)]);
  return createPublicKey({ key: spki, format: "der", type: "spki" });
}

/** Whether two public keys in PEM are the same key, in whatever encoding. */
export function isSameKey(a: string, b: string): boolean {
  if (a === b) return true;
  try {
    return importPublicKey(a).equals(importPublicKey(b));
  } catch {
    return false;
  }
}
