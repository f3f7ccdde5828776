import type { Readable } from "node:stream";
import { KithError } from "../../lib/errors.ts";

/**
 * Bytes of an oversized body that are read and discarded at least, so that the client
 * gets to read the response.
 */
const MAX_DISCARDED_BYTES = 32 * 1024 * 1024;

/**
 * Reads a request's body up to its limit, whatever length it declares.
 * @param admit is there room for so many more bytes? Otherwise they are
 *   discarded
 * @param uploadBytes of the largest upload: somebody who may not upload it reads that, too
 * @throws {KithError} `too_large`, `unavailable` if there was no room, or
 *   `bad_request` if the client aborted the request
 */
export function readRequestBody(
  stream: Readable,
  maxBytes: number,
  admit: (bytes: number) => boolean,
  uploadBytes = 0,
): Promise<Buffer> {
  const discarded = Math.max(MAX_DISCARDED_BYTES, uploadBytes);
  // With events: an iterator over the chunks costs more than most bodies.
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let received = 0;
    let hasRoom = true;
    const end = (): void => {
      if (received > maxBytes)
        reject(
          new KithError(
            "too_large",
            `The body is larger than ${maxBytes} bytes.`,
          ),
        );
      else if (!hasRoom)
        reject(new KithError("unavailable", "Too many bodies in memory."));
      else resolve(joined(chunks));
    };
    stream.on("data", (chunk: Buffer) => {
      received += chunk.length;
      if (received <= maxBytes) hasRoom &&= admit(chunk.length);
      if (received <= maxBytes && hasRoom) chunks.push(chunk);
      else chunks.length = 0;
      if (received <= maxBytes + discarded) return;
      stream.destroy();
      end();
    });
    stream.once("end", end);
    const breakOff = (): void =>
      reject(new KithError("bad_request", "The body broke off."));
    stream.once("error", breakOff);
    // A broken connection may emit nothing else.
    stream.once("close", () => {
      if (!stream.readableEnded) breakOff();
    });
  });
}

function joined(chunks: readonly Buffer[]): Buffer {
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
}
