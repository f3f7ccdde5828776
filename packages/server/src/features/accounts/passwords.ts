import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "./account.ts";

const derive = promisify(argon2);

const MEMORY_KIB = 19_456;
const PASSES = 2;
const PARALLELISM = 1;
const TAG_BYTES = 32;
const PHC =
  /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/**
 * Hashes a password with Argon2id, in the thread pool.
 * @returns a PHC string, which names its own parameters
 * @see RFC 9106; the parameters are those of the OWASP password storage guide
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const tag = await derive("argon2id", {
    message: password.normalize("NFC"),
    nonce: salt,
    memory: MEMORY_KIB,
    passes: PASSES,
    parallelism: PARALLELISM,
    tagLength: TAG_BYTES,
  });
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${PARALLELISM}$${unpadded(salt)}$${unpadded(tag)}`;
}

/** Is this the password that `phc` was made of? False for a hash that cannot be read. */
export async function verifyPassword(
  phc: string,
  password: string,
): Promise<boolean> {
  const [, memory, passes, parallelism, salt, tag] = PHC.exec(phc) ?? [];
  if (salt === undefined || tag === undefined) return false;
  const expected = Buffer.from(tag, "base64");
  const actual = await derive("argon2id", {
    message: password.normalize("NFC"),
    nonce: Buffer.from(salt, "base64"),
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: expected.length,
  });
  return timingSafeEqual(expected, actual);
}

/** A hash of nothing, to be verified where there is no account, so that both cases take as long. */
export const NO_PASSWORD_HASH = `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${PARALLELISM}$${unpadded(randomBytes(16))}$${unpadded(randomBytes(TAG_BYTES))}`;

function unpadded(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64").replaceAll("=", "");
}

/** May this become somebody's password? Counted in code points. */
export function isPossiblePassword(password: string): boolean {
  const { length } = [...password];
  return length >= MIN_PASSWORD_LENGTH && length <= MAX_PASSWORD_LENGTH;
}
