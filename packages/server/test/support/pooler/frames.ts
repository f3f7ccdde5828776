/** A message of PostgreSQL's protocol, version 3. The first one of a client has no type. */
export type Frame = {
  readonly type: string;
  readonly body: Buffer;
  /** With its type and length. */
  readonly whole: Buffer;
};

export function frame(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type, "latin1");
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/** Reads messages out of the pieces in which they arrive. */
export class FrameReader {
  #rest: Buffer = Buffer.alloc(0);
  #isAtStartUp: boolean;

  constructor({ hasStartUp }: { readonly hasStartUp: boolean }) {
    this.#isAtStartUp = hasStartUp;
  }

  read(bytes: Uint8Array): Frame[] {
    this.#rest = Buffer.concat([this.#rest, bytes]);
    const frames: Frame[] = [];
    for (let next = this.#next(); next; next = this.#next()) frames.push(next);
    return frames;
  }

  #next(): Frame | undefined {
    const head = this.#isAtStartUp ? 0 : 1;
    if (this.#rest.length < head + 4) return undefined;
    const end = head + this.#rest.readInt32BE(head);
    if (this.#rest.length < end) return undefined;
    const whole = this.#rest.subarray(0, end);
    const type = this.#isAtStartUp ? "startup" : whole.toString("latin1", 0, 1);
    this.#rest = this.#rest.subarray(end);
    this.#isAtStartUp = false;
    return { type, whole, body: whole.subarray(head + 4) };
  }
}
