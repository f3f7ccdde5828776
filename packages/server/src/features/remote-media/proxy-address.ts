import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";

/**
 * Pictures, sounds and videos of other servers are below this path: a signature, then the file's
 * own URL in base64url, which no reverse proxy rewrites.
 */
export const PROXY_PATH = "/proxy/";

/** The same for sounds and videos, which are streamed. */
export const STREAM_PATH = `${PROXY_PATH}stream/`;

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
  /** Where readers load a sound or a video. One of this server keeps its URL. */
  readonly streamAddressOf: (url: string) => string;
  /**
   * The URL of the picture, if this server has signed it. Compares in constant
   * time.
   */
  readonly verify: (signature: string, encoded: string) => string | undefined;
  /** The same for a sound or a video: neither address opens the other. */
  readonly verifyStream: (
    signature: string,
    encoded: string,
  ) => string | undefined;
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
  const pictures = createSigner(secretKey, "kith remote pictures");
  const streams = createSigner(secretKey, "kith remote recordings");
  const address = (
    { sign }: ReturnType<typeof createSigner>,
    folder: string,
    url: string,
  ): string =>
    url.startsWith(`${baseUrl}/`)
      ? url
      : `${baseUrl}${folder}${sign(url)}/${Buffer.from(url).toString("base64url")}`;
  return {
    addressOf: (url) => address(pictures, PROXY_PATH, url),
    streamAddressOf: (url) => address(streams, STREAM_PATH, url),
    verify: pictures.verify,
    verifyStream: streams.verify,
  };
}

function createSigner(secretKey: Uint8Array, purpose: string) {
  const key = Buffer.from(
    hkdfSync("sha256", secretKey, "", purpose, KEY_BYTES),
  );
  const sign = (url: string): string =>
    createHmac("sha256", key)
      .update(url)
      .digest()
      .subarray(0, SIGNATURE_BYTES)
      .toString("base64url");
  return {
    sign,
    verify: (signature: string, encoded: string): string | undefined => {
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
