import type { Readable } from "node:stream";
import { KithError } from "../../lib/errors.ts";

/** A body above its limit, with as much of its two ends as its reader wants. */
export class BodyTooLarge extends KithError {
  readonly maxBytes: number;
  readonly head: Buffer;
  readonly tail: Buffer;
  constructor(maxBytes: number, { head, tail }: Ends) {
    super("too_large", `The body is larger than ${maxBytes} bytes.`);
    this.name = "BodyTooLarge";
    this.maxBytes = maxBytes;
    this.head = head;
    this.tail = tail;
  }
}

type Ends = { readonly head: Buffer; readonly tail: Buffer };

/** How a body is read that is too large. */
type OfTooLarge = {
  /** Bytes that are kept of its beginning and of its end. */
  readonly endBytes: number;
  /** Bytes above the limit that are read, so that the client gets to read the response. */
  readonly maxDiscarded: number;
};

/**
 * Reads a request's body up to its limit, whatever length it declares.
 * @param admit is there room for so many more bytes? Otherwise they are
 *   discarded
 * @throws {KithError} `too_large`, as `BodyTooLarge`, `unavailable` if there was no room, or
 *   `bad_request` if the client aborted the request
 */
export function readRequestBody(
  stream: Readable,
  maxBytes: number,
  admit: (bytes: number) => boolean,
  { endBytes, maxDiscarded }: OfTooLarge,
): Promise<Buffer> {
  // With events: an iterator over the chunks costs more than most bodies.
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const ends = createEnds(endBytes);
    let received = 0;
    let hasRoom = true;
    const end = (): void => {
      if (received > maxBytes) reject(new BodyTooLarge(maxBytes, ends.take()));
      else if (!hasRoom)
        reject(new KithError("unavailable", "Too many bodies in memory."));
      else resolve(joined(chunks));
    };
    stream.on("data", (chunk: Buffer) => {
      received += chunk.length;
      if (received <= maxBytes) hasRoom &&= admit(chunk.length);
      ends.note(chunk);
      if (received <= maxBytes && hasRoom) chunks.push(chunk);
      else chunks.length = 0;
      if (received <= maxBytes + maxDiscarded) return;
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

/** Keeps so many bytes of both ends of what it gets; a chunk more at the last one. */
function createEnds(bytes: number) {
  const head: Buffer[] = [];
  const tail: Buffer[] = [];
  const length = { head: 0, tail: 0 };
  return {
    note: (chunk: Buffer): void => {
      if (bytes === 0) return;
      if (length.head < bytes) length.head += keep(head, chunk);
      else length.tail += keep(tail, chunk);
      while (length.tail - (tail[0]?.length ?? 0) >= bytes)
        length.tail -= tail.shift()?.length ?? 0;
    },
    take: (): Ends => ({ head: joined(head), tail: joined(tail) }),
  };
}

function keep(chunks: Buffer[], chunk: Buffer): number {
  chunks.push(chunk);
  return chunk.length;
}

function joined(chunks: readonly Buffer[]): Buffer {
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
}
