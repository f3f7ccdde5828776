import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";

/**
 * Limited posts' photos for remote viewers are below this path. Knowing an address is
 * enough to see the photo: the next path segment is a secret.
 */
export const SHARED_MEDIA_PATH = "/uploads/";

const KEY_BYTES = 32;
/**
 * 192 bits: exactly 32 characters of base64url with no spare bits, so that a secret has
 * only one spelling.
 */
const SECRET_BYTES = 24;

/** Builds and verifies the secret segment of photo addresses. */
export type SharedAddresses = {
  /** The path of a photo's folder, with a trailing slash. */
  folderOf(guid: string): string;
  /** Is this the photo's secret? Compares in constant time. */
  isSecretOf(guid: string, secret: string): boolean;
};

/**
 * The secrets are not stored: they are derived from the Guid and a key for this purpose
 * alone, which is derived from the server's key (RFC 5869, RFC 2104).
 * @param secretKey 32 bytes
 */
export function createSharedAddresses(secretKey: Uint8Array): SharedAddresses {
  const key = Buffer.from(
    hkdfSync("sha256", secretKey, "", "kith shared pictures", KEY_BYTES),
  );
  const secretOf = (guid: string): string =>
    createHmac("sha256", key)
      .update(guid)
      .digest()
      .subarray(0, SECRET_BYTES)
      .toString("base64url");
  return {
    folderOf: (guid) => `${SHARED_MEDIA_PATH}${secretOf(guid)}/`,
    isSecretOf: (guid, secret) => {
      const right = Buffer.from(secretOf(guid));
      const given = Buffer.from(secret);
      return right.length === given.length && timingSafeEqual(right, given);
    },
  };
}

const SECRET_IN_PATH = new RegExp(`${SHARED_MEDIA_PATH}[^/?#"\\s]+`, "g");

/** Redacts the secrets in a log line. */
export function hideSharedAddresses(line: string): string {
  return line.replaceAll(SECRET_IN_PATH, `${SHARED_MEDIA_PATH}[secret]`);
}
