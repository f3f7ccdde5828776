import { Buffer } from "node:buffer";

/**
 * Encodes bytes (or text, as UTF-8) with the URL-safe alphabet, without line breaks and WITH `=` padding. Node's own
 * `base64url` drops the padding, which peers need in the signed string.
 * @see RFC 4648, section 5
 */
export function base64urlEncode(data: Uint8Array | string): string {
  const digits = toBuffer(data).toString("base64url");
  return digits.padEnd(Math.ceil(digits.length / 4) * 4, "=");
}

/**
 * Decodes either alphabet, with or without padding, ignoring white space.
 * @returns undefined if `text` contains anything else, or if its length is impossible
 */
export function base64Decode(text: string): Buffer | undefined {
  const digits = /\s/.test(text) ? text.replace(/\s+/g, "") : text;
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(digits)) return undefined;
  const padding = digits.endsWith("==") ? 2 : digits.endsWith("=") ? 1 : 0;
  if (padding > 0 && digits.length % 4 !== 0) return undefined;
  if ((digits.length - padding) % 4 === 1) return undefined;
  return Buffer.from(digits, "base64");
}

/** The bytes of a text in UTF-8, or the same bytes as a Buffer without copying them. */
export function toBuffer(data: Uint8Array | string): Buffer {
  if (typeof data === "string") return Buffer.from(data, "utf8");
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength);
}
