import { Buffer } from "node:buffer";
import {
  constants,
  createCipheriv,
  createDecipheriv,
  privateDecrypt,
  publicEncrypt,
  randomBytes,
} from "node:crypto";
import type { KeyObject } from "node:crypto";
import { base64Decode } from "./base64.ts";
import { DiasporaError } from "../errors.ts";
import { readPrivateKey, readPublicKey } from "./keys.ts";
import type { KeyLike } from "./keys.ts";
import { decodeDocument } from "../xml/xml.ts";

const CIPHER = "aes-256-cbc";
const KEY_BYTES = 32;
const IV_BYTES = 16;
const BLOCK_BYTES = 16;
/** Two members have four such characters; the cost of parsing grows with their number, not with the length. */
const MAX_SIGNS = 64;

interface CipherKey {
  readonly key: Buffer;
  readonly iv: Buffer;
}

/**
 * Encrypts a finished envelope for one person, with a fresh AES key.
 * @returns the JSON body of a POST to the person's private receive URL
 * @throws {DiasporaError} stage `decrypt`, `bad_key`
 * @see diaspora* federation protocol, Encrypted Magic Envelope
 */
export function encryptEnvelope(
  envelopeXml: string,
  recipientPublicKey: KeyLike,
): string {
  const recipient = readPublicKey(recipientPublicKey, "decrypt");
  const key = randomBytes(KEY_BYTES);
  const iv = randomBytes(IV_BYTES);
  const inner = JSON.stringify({
    key: key.toString("base64"),
    iv: iv.toString("base64"),
  });
  const cipher = createCipheriv(CIPHER, key, iv);
  const encrypted = Buffer.concat([
    cipher.update(envelopeXml, "utf8"),
    cipher.final(),
  ]);
  return JSON.stringify({
    aes_key: publicEncrypt(
      { key: recipient, padding: constants.RSA_PKCS1_PADDING },
      Buffer.from(inner, "utf8"),
    ).toString("base64"),
    encrypted_magic_envelope: encrypted.toString("base64"),
  });
}

/**
 * Whether this could be a message for that person, as far as visible without the private key: both members, base64, the
 * length of the RSA ciphertext, and whole AES blocks.
 */
export function isEncryptedFor(
  body: Uint8Array | string,
  recipientPublicKey: KeyLike,
): boolean {
  const recipient = readPublicKey(recipientPublicKey, "decrypt");
  const bits = recipient.asymmetricKeyDetails?.modulusLength ?? 0;
  const members = readMembers(body);
  if (!members) return false;
  const aesKey = base64Decode(members.aesKey);
  if (aesKey?.length !== Math.ceil(bits / 8)) return false;
  const encrypted = base64Decode(members.encrypted)?.length ?? 0;
  return encrypted > 0 && encrypted % BLOCK_BYTES === 0;
}

/**
 * Decrypts a body received at a person's private receive URL. It is not authenticated: continue with `parseEnvelope`.
 *
 * Every failure gives the same error after the same work, so that the answer reveals nothing about the key
 * (Bleichenbacher's attack). RSA decryption is synchronous in Node: it blocks the thread for about a millisecond with a
 * 2048-bit key and five with a 4096-bit one.
 * @returns the envelope as XML text
 * @throws {DiasporaError} stage `decrypt`: `decryption_failed`, or `bad_key` if our own key cannot be used
 * @see diaspora* federation protocol, Encrypted Magic Envelope
 */
export function decryptEnvelope(
  body: Uint8Array | string,
  recipientPrivateKey: KeyLike,
): Promise<string> {
  return Promise.try(decrypt, body, recipientPrivateKey);
}

function decrypt(
  body: Uint8Array | string,
  recipientPrivateKey: KeyLike,
): string {
  const recipient = readPrivateKey(recipientPrivateKey, "decrypt");
  const outer = readOuter(body);
  // From here on no step is skipped: with a wrong key, AES still runs, with a random key.
  const opened = openKey(outer.aesKey, recipient);
  const plain = decipher(outer.encrypted, opened ?? randomCipherKey());
  if (!opened || plain === undefined) throw failure();
  return plain;
}

function readOuter(body: Uint8Array | string): {
  aesKey: Buffer;
  encrypted: Buffer;
} {
  const members = readMembers(body);
  if (!members) throw failure();
  return {
    aesKey: Buffer.from(members.aesKey, "base64"),
    encrypted: Buffer.from(members.encrypted, "base64"),
  };
}

/** Not secret: the sender knows whether the body is JSON. */
function readMembers(
  body: Uint8Array | string,
): { aesKey: string; encrypted: string } | undefined {
  const json = decodeOrEmpty(body);
  if (!hasFewParts(json)) return undefined;
  const outer = parseObject(json);
  const aesKey = outer?.["aes_key"];
  const encrypted = outer?.["encrypted_magic_envelope"];
  if (typeof aesKey !== "string" || typeof encrypted !== "string")
    return undefined;
  return { aesKey, encrypted };
}

/** Base64 contains none of these characters. */
function hasFewParts(json: string): boolean {
  const signs = /[[{,:]/g;
  for (let count = 0; count <= MAX_SIGNS; count += 1)
    if (!signs.test(json)) return true;
  return false;
}

function openKey(aesKey: Buffer, recipient: KeyObject): CipherKey | undefined {
  let inner: Buffer;
  try {
    // OpenSSL 3.2 and later answers wrong padding with random bytes ("implicit rejection"), as required here.
    inner = privateDecrypt(
      { key: recipient, padding: constants.RSA_PKCS1_PADDING },
      aesKey,
    );
  } catch {
    return undefined;
  }
  const values = parseObject(inner.toString("utf8"));
  const key = values?.["key"];
  const iv = values?.["iv"];
  if (typeof key !== "string" || typeof iv !== "string") return undefined;
  const opened = {
    key: Buffer.from(key, "base64"),
    iv: Buffer.from(iv, "base64"),
  };
  const fits = opened.key.length === KEY_BYTES && opened.iv.length === IV_BYTES;
  return fits ? opened : undefined;
}

function randomCipherKey(): CipherKey {
  return { key: randomBytes(KEY_BYTES), iv: randomBytes(IV_BYTES) };
}

function decipher(encrypted: Buffer, { key, iv }: CipherKey) {
  try {
    const aes = createDecipheriv(CIPHER, key, iv);
    const plain = Buffer.concat([aes.update(encrypted), aes.final()]);
    return decodeDocument(plain, "decrypt");
  } catch {
    return undefined;
  }
}

function decodeOrEmpty(body: Uint8Array | string): string {
  try {
    return decodeDocument(body, "decrypt");
  } catch {
    return "";
  }
}

function parseObject(json: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value !== "object" || value === null) return undefined;
    return { ...value };
  } catch {
    return undefined;
  }
}

function failure(): DiasporaError {
  return new DiasporaError(
    "decrypt",
    "decryption_failed",
    "The message cannot be decrypted",
  );
}
