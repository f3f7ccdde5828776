import type { IncomingHttpHeaders } from "node:http";

type PlainHeaders = Record<string, string>;

// Headers of the connection, and headers that this server never sends.
const NEVER_SENT = new Set([
  "connection",
  "content-length",
  "cookie",
  "expect",
  "host",
  "keep-alive",
  "proxy-authorization",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

// A signature covers the path, a token belongs to the server.
const BOUND_TO_TARGET = [
  "authorization",
  "content-digest",
  "digest",
  "signature",
  "signature-input",
];

/** The headers of a first request: the caller's in lower case, and our own. */
export function startHeaders(
  given: PlainHeaders,
  method: "GET" | "POST",
  userAgent: string,
): PlainHeaders {
  const headers: PlainHeaders = {};
  for (const [name, value] of Object.entries(given)) {
    headers[name.toLowerCase()] = value;
  }
  // A part of a file must not be compressed.
  const isPlain = method !== "GET" || headers["accept-encoding"] === "identity";
  headers["accept-encoding"] = isPlain ? "identity" : "gzip";
  headers["user-agent"] = userAgent;
  return headers;
}

/** The headers that may follow a redirect. */
export function withoutBoundHeaders(headers: PlainHeaders): PlainHeaders {
  const kept = { ...headers };
  for (const name of BOUND_TO_TARGET) delete kept[name];
  return kept;
}

/** The headers for undici, which sets Host and Content-Length itself. */
export function sendableHeaders(headers: PlainHeaders): PlainHeaders {
  const sent: PlainHeaders = {};
  for (const [name, value] of Object.entries(headers)) {
    const lower = name.toLowerCase();
    if (!NEVER_SENT.has(lower)) sent[lower] = value;
  }
  return sent;
}

/**
 * The headers of a response, one string each. Cookies are left out, and so are
 * headers of the compressed body.
 */
export function receivedHeaders(received: IncomingHttpHeaders): PlainHeaders {
  const headers: PlainHeaders = {};
  for (const [name, value] of Object.entries(received)) {
    if (value === undefined || name === "set-cookie") continue;
    headers[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  const packed = headers["content-encoding"];
  if (packed !== undefined && packed.toLowerCase() !== "identity") {
    delete headers["content-encoding"];
    delete headers["content-length"];
  }
  return headers;
}
