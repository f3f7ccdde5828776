import {
  createCipheriv,
  createDecipheriv,
  randomBytes,
  scrypt,
} from "node:crypto";
import { promisify } from "node:util";
import { OperatorError } from "../lib/errors.ts";

// The secret key of a server, sealed for its backup: scrypt (RFC 7914) makes a key
// from the passphrase, AES-256-GCM seals. `version salt nonce tag ciphertext`, in hex.

const VERSION = "kith-secret-1";
const COST = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 };
const CIPHER = "aes-256-gcm";
const [SALT_BYTES, NONCE_BYTES, TAG_BYTES, KEY_BYTES] = [16, 12, 16, 32];

const derive = promisify<string, Uint8Array, number, typeof COST, Buffer>(
  scrypt,
);

export async function sealSecretKey(
  secretKey: Uint8Array,
  passphrase: string,
): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const nonce = randomBytes(NONCE_BYTES);
  const key = await derive(passphrase.normalize(), salt, KEY_BYTES, COST);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(
    Buffer.from(VERSION),
  );
  const sealed = Buffer.concat([cipher.update(secretKey), cipher.final()]);
  const parts = [salt, nonce, cipher.getAuthTag(), sealed];
  return `${[VERSION, ...parts.map((part) => part.toString("hex"))].join(" ")}\n`;
}

/** @returns 32 bytes @throws {OperatorError} with a wrong passphrase, or a changed text */
export async function openSecretKeySeal(
  text: string,
  passphrase: string,
): Promise<Uint8Array> {
  const [version, ...hex] = text.trim().split(" ");
  const [salt, nonce, tag, sealed] = hex.map((part) =>
    Buffer.from(part, "hex"),
  );
  if (version !== VERSION || !salt || !nonce || tag?.length !== TAG_BYTES)
    throw new OperatorError(
      "The backup holds a secret key in a form that this Kith does not know.",
    );
  const key = await derive(passphrase.normalize(), salt, KEY_BYTES, COST);
  const decipher = createDecipheriv(CIPHER, key, nonce, {
    authTagLength: TAG_BYTES,
  })
    .setAAD(Buffer.from(VERSION))
    .setAuthTag(tag);
  try {
    return Buffer.concat([
      decipher.update(sealed ?? Buffer.alloc(0)),
      decipher.final(),
    ]);
  } catch {
    throw new OperatorError(
      "The passphrase (KITH_BACKUP_PASSPHRASE) does not open the secret key of this backup.",
    );
  }
}
