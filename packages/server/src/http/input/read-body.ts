import type { Readable } from "node:stream";
import { KithError } from "../../lib/errors.ts";

/** How much of a body over its limit is read and thrown away, so that the client gets to read the answer. */
const MAX_DISCARDED_BYTES = 32 * 1024 * 1024;

/**
 * Reads a request's body up to its limit, whatever length it announces.
 * @param admit is there room for so many bytes more? What is not admitted is not kept
 * @throws {KithError} `too_large`, `unavailable` where there was no room, or
 *   `bad_request` where the client broke off, which is no fault of ours
 */
export function readRequestBody(
  stream: Readable,
  maxBytes: number,
  admit: (bytes: number) => boolean,
): Promise<Buffer> {
  // By its events: an iterator over the chunks costs more than most bodies.
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
      if (received <= maxBytes + MAX_DISCARDED_BYTES) return;
      stream.destroy();
      end();
    });
    stream.once("end", end);
    const breakOff = (): void =>
      reject(new KithError("bad_request", "The body broke off."));
    stream.once("error", breakOff);
    // Of a connection that breaks there may be no other word.
    stream.once("close", () => {
      if (!stream.readableEnded) breakOff();
    });
  });
}

function joined(chunks: readonly Buffer[]): Buffer {
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
}
