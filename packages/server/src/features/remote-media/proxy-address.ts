import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";

/**
 * Pictures of other servers are below this path: a signature, then the picture's
 * own URL in base64url, which no reverse proxy rewrites.
 */
export const PROXY_PATH = "/proxy/";

const KEY_BYTES = 32;
/**
 * 192 bits: exactly 32 characters of base64url with no spare bits, so that a
 * signature has only one spelling.
 */
const SIGNATURE_BYTES = 24;

/** Builds and verifies the addresses of remote pictures on this server. */
export type ProxyAddresses = {
  /**
   * Where readers load a picture. One of this server keeps its URL.
   * @param url absolute
   */
  readonly addressOf: (url: string) => string;
  /**
   * The URL of the picture, if this server has signed it. Compares in constant
   * time.
   */
  readonly verify: (signature: string, encoded: string) => string | undefined;
};

/**
 * Only this server can sign an address, so nobody can make it fetch a URL that
 * it has not shown. The key is for this purpose alone, and derived from the
 * server's key (RFC 5869, RFC 2104).
 * @param secretKey 32 bytes
 * @param baseUrl without a trailing slash
 */
export function createProxyAddresses(
  secretKey: Uint8Array,
  baseUrl: string,
): ProxyAddresses {
  const key = Buffer.from(
    hkdfSync("sha256", secretKey, "", "kith remote pictures", KEY_BYTES),
  );
  const sign = (url: string): string =>
    createHmac("sha256", key)
      .update(url)
      .digest()
      .subarray(0, SIGNATURE_BYTES)
      .toString("base64url");
  return {
    addressOf: (url) =>
      url.startsWith(`${baseUrl}/`)
        ? url
        : `${baseUrl}${PROXY_PATH}${sign(url)}/${Buffer.from(url).toString("base64url")}`,
    verify: (signature, encoded) => {
      const url = Buffer.from(encoded, "base64url").toString();
      const right = Buffer.from(sign(url));
      const given = Buffer.from(signature);
      return right.length === given.length && timingSafeEqual(right, given)
        ? url
        : undefined;
    },
  };
}

const ADDRESS_IN_LINE = new RegExp(`${PROXY_PATH}[^?#"\\s]+`, "g");

/**
 * Redacts these addresses in a log line: the URL of a limited post's picture is
 * enough to see it.
 */
export function hideProxyAddresses(line: string): string {
  return line.replaceAll(ADDRESS_IN_LINE, `${PROXY_PATH}[picture]`);
}
