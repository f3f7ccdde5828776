import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";

/**
 * Below this path lie the pictures of limited posts for people elsewhere: whoever
 * knows the address of one may see it. The next part of the path is its secret.
 */
export const SHARED_MEDIA_PATH = "/uploads/";

const KEY_BYTES = 32;
/** 192 bits, which are 32 characters of base64url with no bit to spare: a secret is written in one way. */
const SECRET_BYTES = 24;

/** Makes the secret parts of the addresses of pictures, and recognises them. */
export type SharedAddresses = {
  /** The folder of a picture's files as a path, with a slash at its end. */
  folderOf(guid: string): string;
  /** Is this the secret of the picture? In a time that does not tell how much of it is right. */
  isSecretOf(guid: string, secret: string): boolean;
};

/**
 * The secrets are not stored: each follows from the Guid and the server's key,
 * from which this derives one for this purpose alone (RFC 5869, RFC 2104).
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

/** Takes the secrets out of a line of the log. */
export function hideSharedAddresses(line: string): string {
  return line.replaceAll(SECRET_IN_PATH, `${SHARED_MEDIA_PATH}[secret]`);
}
