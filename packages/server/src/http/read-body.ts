import type { Readable } from "node:stream";
import { KithError } from "../lib/errors.ts";

/** How much of a body over its limit is read and thrown away, so that the client gets to read the answer. */
const MAX_DISCARDED_BYTES = 32 * 1024 * 1024;

/**
 * Reads a request's body up to its limit, whatever length it announces.
 * @throws {KithError} `too_large`
 */
export async function readBody(
  stream: Readable,
  maxBytes: number,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let received = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    received += chunk.length;
    if (received <= maxBytes) chunks.push(chunk);
    else chunks.length = 0;
    if (received > maxBytes + MAX_DISCARDED_BYTES) break;
  }
  if (received > maxBytes)
    throw new KithError("too_large", `The body is over ${maxBytes} bytes`);
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
}
