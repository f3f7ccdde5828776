import { createGunzip } from "node:zlib";
import type { Readable } from "node:stream";
import { FetchRefused } from "./fetch-refused.ts";

const GZIP_OVERHEAD = 1024;

/**
 * Reads a body, counting both compressed and uncompressed bytes; stops at the
 * limit, whatever Content-Length said.
 * @param encoding the Content-Encoding; only gzip is accepted
 * @param isCut returns the beginning of a longer body
 * @throws {FetchRefused} `too_large`, or `network` for another encoding
 */
export async function readResponseBody(
  body: Readable,
  encoding: string,
  maxBytes: number,
  isCut = false,
): Promise<Uint8Array> {
  // undici also emits an error for an aborted body; without a listener it would
  // end the process.
  body.on("error", () => undefined);
  const coding = encoding.trim().toLowerCase();
  if (coding === "" || coding === "identity")
    return collect(body, maxBytes, isCut);
  if (coding !== "gzip" && coding !== "x-gzip") {
    body.destroy();
    throw new FetchRefused("network", "unknown content encoding");
  }
  return collectUnzipped(body, maxBytes, isCut);
}

async function collectUnzipped(
  body: Readable,
  maxBytes: number,
  isCut: boolean,
): Promise<Uint8Array> {
  const gunzip = createGunzip();
  body.on("error", (error) => gunzip.destroy(error));
  // An endless sequence of empty gzip members unpacks to nothing, so compressed
  // bytes are counted too.
  let arrived = 0;
  body.on("data", (chunk: Uint8Array) => {
    arrived += chunk.byteLength;
    if (arrived > maxBytes + GZIP_OVERHEAD) gunzip.destroy(tooLarge());
  });
  try {
    return await collect(body.pipe(gunzip), maxBytes, isCut);
  } finally {
    body.destroy();
    gunzip.destroy();
  }
}

function tooLarge(): FetchRefused {
  return new FetchRefused("too_large", "body too large");
}

async function collect(
  stream: Readable,
  maxBytes: number,
  isCut: boolean,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    if (!(chunk instanceof Uint8Array)) continue;
    size += chunk.byteLength;
    // Leaving the loop destroys the stream, and with it the connection.
    if (size > maxBytes && !isCut) throw tooLarge();
    chunks.push(chunk);
    if (size > maxBytes) return Buffer.concat(chunks, maxBytes);
  }
  const [only] = chunks;
  return chunks.length === 1 && only ? only : Buffer.concat(chunks, size);
}
