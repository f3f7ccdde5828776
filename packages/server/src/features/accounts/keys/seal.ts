import {
  createCipheriv,
  createDecipheriv,
  hkdfSync,
  randomBytes,
} from "node:crypto";

const ALGORITHM = "aes-256-gcm";
const IV_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

/** Encrypts short secrets, each of which opens only in its own row. */
export type BoundSeal = {
  seal(secret: Uint8Array, boundTo: string): string;
  /** @throws if it was sealed with another key, bound to another row, or changed */
  open(sealed: string, boundTo: string): Buffer;
};

/**
 * AES-256-GCM, with a key derived from the server's for one purpose only (RFC 5869).
 * @param secretKey 32 bytes
 */
export function createBoundSeal(
  secretKey: Uint8Array,
  purpose: string,
): BoundSeal {
  const key = Buffer.from(
    hkdfSync("sha256", secretKey, "", purpose, KEY_BYTES),
  );
  return {
    seal: (secret, boundTo) => sealBytes(key, secret, boundTo),
    open: (sealed, boundTo) => openBytes(key, sealed, boundTo),
  };
}

/**
 * Encrypts with AES-256-GCM.
 * @param key 32 bytes
 * @param boundTo associated data, which must be the same on opening; not part of the
 *   result
 * @returns base64
 */
export function sealBytes(
  key: Uint8Array,
  secret: Uint8Array,
  boundTo: string,
): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, iv, {
    authTagLength: TAG_BYTES,
  });
  cipher.setAAD(Buffer.from(boundTo));
  const text = Buffer.concat([cipher.update(secret), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), text]).toString("base64");
}

/** @throws if it was sealed with another key, bound to other data, or changed */
export function openBytes(
  key: Uint8Array,
  sealed: string,
  boundTo: string,
): Buffer {
  const bytes = Buffer.from(sealed, "base64");
  const iv = bytes.subarray(0, IV_BYTES);
  const decipher = createDecipheriv(ALGORITHM, key, iv, {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(Buffer.from(boundTo));
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  const text = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES));
  return Buffer.concat([text, decipher.final()]);
}

/** Seals where devices receive pushes, bound to their users. */
export function createPushSeal(secretKey: Uint8Array): BoundSeal {
  return createBoundSeal(secretKey, "kith push subscriptions");
}

/** Seals addresses and tokens of mails that wait to be sent. */
export function createMailSeal(secretKey: Uint8Array): BoundSeal {
  return createBoundSeal(secretKey, "kith mails");
}

/** Seals second factors, bound to their rows. */
export function createFactorSeal(secretKey: Uint8Array): BoundSeal {
  return createBoundSeal(secretKey, "kith second factors");
}
