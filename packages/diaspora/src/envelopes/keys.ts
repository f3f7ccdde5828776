import {
  createPrivateKey,
  createPublicKey,
  KeyObject,
  sign,
  verify,
} from "node:crypto";
import { toBuffer } from "./base64.ts";
import { DiasporaError } from "../errors.ts";
import type { DiasporaStage } from "../errors.ts";

/** An RSA key: PEM (SPKI, PKCS#8 or PKCS#1), or a KeyObject, which avoids parsing the PEM on every call. */
export type KeyLike = string | KeyObject;

const MIN_MODULUS_BITS = 1024;
const MAX_MODULUS_BITS = 8192;
/**
 * The cost of a check grows with the bits of the exponent, and OpenSSL limits it only above 3072 bits of modulus: an
 * exponent as long as the modulus costs a hundred times the usual. In use are 65537, and 3, 17, 35 or 37 from old tools.
 */
const MAX_PUBLIC_EXPONENT = 65_537n;
/** A PEM of an 8192-bit key has 1.5 kB. */
const MAX_PEM_CHARACTERS = 16_384;
const PUBLIC_PEM =
  /^\s*-----BEGIN (RSA )?PUBLIC KEY-----[A-Za-z0-9+/=\s]+-----END \1?PUBLIC KEY-----\s*$/;
const PRIVATE_PEM =
  /^\s*-----BEGIN (RSA )?PRIVATE KEY-----[A-Za-z0-9+/=\s]+-----END \1?PRIVATE KEY-----\s*$/;

/** Keys that have passed {@link checkRsa}; avoids repeating the check on a cached KeyObject. */
const checkedKeys = new WeakSet<KeyObject>();

/**
 * Imports a public key of another server. Accepts SPKI and PKCS#1 PEM, RSA of 1024 to 8192 bits, public exponent odd and
 * from 3 to 65537. Keep the result: verifying with a KeyObject is much cheaper than with a PEM.
 * @throws {DiasporaError} `bad_key` at `stage`
 * @see diaspora* federation protocol, hCard and Security
 */
export function readPublicKey(
  key: KeyLike,
  stage: DiasporaStage = "discovery",
): KeyObject {
  if (key instanceof KeyObject) {
    if (key.type === "public") return checkRsa(key, stage);
    if (key.type === "private") return checkRsa(createPublicKey(key), stage);
    throw badKey(stage);
  }
  if (key.length > MAX_PEM_CHARACTERS || !PUBLIC_PEM.test(key))
    throw badKey(stage);
  return checkRsa(loadKey(createPublicKey, key, stage), stage);
}

/**
 * Imports a private key of ours, PKCS#8 or PKCS#1 PEM, not encrypted.
 * @throws {DiasporaError} `bad_key` at `stage`
 */
export function readPrivateKey(key: KeyLike, stage: DiasporaStage): KeyObject {
  if (key instanceof KeyObject) {
    if (key.type !== "private") throw badKey(stage);
    return checkRsa(key, stage);
  }
  if (!PRIVATE_PEM.test(key)) throw badKey(stage);
  return checkRsa(loadKey(createPrivateKey, key, stage), stage);
}

/** Converts any accepted public key to the published form: SPKI PEM, ending in a newline. */
export function toSpkiPem(
  key: KeyLike,
  stage: DiasporaStage = "discovery",
): string {
  const pem = readPublicKey(key, stage).export({ type: "spki", format: "pem" });
  return pem.toString();
}

/**
 * RSASSA-PKCS1-v1_5 with SHA-256 over the UTF-8 bytes of `text`. Runs in the thread pool, because signing takes
 * milliseconds.
 */
export function signText(text: string, privateKey: KeyObject): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    sign("sha256", toBuffer(text), privateKey, (error, signature) => {
      if (error) reject(error);
      else resolve(signature);
    });
  });
}

/**
 * Checks a signature made by {@link signText}. Synchronous: RSA verification takes tens of microseconds, less than a round
 * trip to the thread pool.
 */
export function isSignatureOf(
  text: string,
  signature: Uint8Array,
  publicKey: KeyObject,
): boolean {
  return verify("sha256", toBuffer(text), publicKey, signature);
}

function loadKey(
  load: (pem: string) => KeyObject,
  pem: string,
  stage: DiasporaStage,
): KeyObject {
  try {
    return load(pem.trim());
  } catch {
    // The cause is omitted: OpenSSL's messages are not useful, and ours must not contain key material.
    throw badKey(stage);
  }
}

function checkRsa(key: KeyObject, stage: DiasporaStage): KeyObject {
  if (checkedKeys.has(key)) return key;
  const details = key.asymmetricKeyDetails;
  const bits = details?.modulusLength ?? 0;
  const exponent = details?.publicExponent ?? 0n;
  if (
    key.asymmetricKeyType !== "rsa" ||
    bits < MIN_MODULUS_BITS ||
    bits > MAX_MODULUS_BITS ||
    exponent < 3n ||
    exponent > MAX_PUBLIC_EXPONENT ||
    exponent % 2n === 0n
  ) {
    throw badKey(stage);
  }
  checkedKeys.add(key);
  return key;
}

function badKey(stage: DiasporaStage): DiasporaError {
  return new DiasporaError(
    stage,
    "bad_key",
    `Not an RSA key of ${MIN_MODULUS_BITS} to ${MAX_MODULUS_BITS} bits in PEM, with an odd exponent of at most ${MAX_PUBLIC_EXPONENT}`,
  );
}
