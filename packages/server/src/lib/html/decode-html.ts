/** `<meta charset>` counts within the first 1,024 bytes. */
const META_BYTES = 1_024;
const META = /<meta\s[^>]{0,200}?charset\s{0,9}=\s{0,9}["']?([\w:.+-]{1,40})/i;
const PARAMETER = /;\s{0,9}charset\s{0,9}=\s{0,9}["']?([\w:.+-]{1,40})/i;

/**
 * Decodes an HTML document by its byte order mark, its Content-Type, or its own `<meta>`, and
 * else as UTF-8. Never throws: a wrong byte becomes U+FFFD.
 */
export function decodeHtml(bytes: Uint8Array, contentType: string): string {
  const head = Buffer.from(bytes.subarray(0, META_BYTES)).toString("latin1");
  const label =
    labelOfMark(bytes) ??
    PARAMETER.exec(contentType)?.[1] ??
    META.exec(head)?.[1] ??
    "utf-8";
  return decoderOf(label).decode(bytes);
}

function labelOfMark([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return undefined;
}

/** Unknown encodings, and those that the standard replaces, are read as UTF-8. */
function decoderOf(label: string): TextDecoder {
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder();
  }
}
