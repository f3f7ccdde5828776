import { signatureError } from "../errors.ts";

/** A request as received, for verifying its signature. It must be unmodified. */
export type ReceivedRequest = {
  method: string;
  /** Path and query as in the request line. */
  path: string;
  /** Header lines in their order, none joined and none dropped, as in `rawHeaders` of Node.js. */
  headers: [name: string, value: string][];
  /** The bytes of the body, before any parsing. */
  body?: Uint8Array;
};

/** Header lines by lower-case name. */
export type HeaderLines = ReadonlyMap<string, readonly string[]>;

/** Headers that must not be repeated: a proxy and we might each use a different line. */
const SINGLE = [
  "host",
  "date",
  "digest",
  "content-digest",
  "signature",
  "signature-input",
];

/**
 * Collects the header lines by name.
 * @throws {ActivityPubError} `signature_malformed` for a repeated header that the verification depends on
 */
export function indexHeaders(request: ReceivedRequest): HeaderLines {
  const lines = new Map<string, string[]>();
  for (const [name, value] of request.headers) {
    const key = name.toLowerCase();
    const known = lines.get(key);
    if (known === undefined) lines.set(key, [value]);
    else known.push(value);
  }
  for (const name of SINGLE) {
    if ((lines.get(name)?.length ?? 0) > 1) {
      throw signatureError("duplicate-header", `More than one ${name} header`);
    }
  }
  return lines;
}

/** The signed value of a header: each line trimmed, lines joined by a comma and a space. */
export function headerValue(
  lines: HeaderLines,
  name: string,
): string | undefined {
  const values = lines.get(name);
  if (values === undefined) return undefined;
  return values.length === 1
    ? values[0]?.trim()
    : values.map((value) => value.trim()).join(", ");
}

/** Whether a request has a body that its signature must cover. */
export function hasBody(request: ReceivedRequest): boolean {
  const method = request.method.toUpperCase();
  return method !== "GET" && method !== "HEAD";
}

/**
 * The bytes of a signature base. Node.js decodes header bytes as Latin-1, so this encodes them back.
 * @throws {ActivityPubError} `signature_malformed` for a value that is impossible over HTTP: it might forge a line of the
 *   base, or lose its upper bits
 */
export function baseBytes(parts: readonly string[]): Uint8Array {
  for (const part of parts) {
    if (/[\n\r\0]|[^\0-\xff]/.test(part)) {
      throw signatureError("malformed-signature-header", "Not a header value");
    }
  }
  return Buffer.from(parts.join("\n"), "latin1");
}
