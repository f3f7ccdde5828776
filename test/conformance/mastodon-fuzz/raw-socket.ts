import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** Codes of frames (RFC 6455, section 5.2). */
export const OPCODES = { more: 0, text: 1, binary: 2, close: 8, ping: 9 };

export type FrameOptions = {
  readonly opcode?: number;
  readonly isLast?: boolean;
  readonly isMasked?: boolean;
  /** The three reserved bits. */
  readonly reserved?: number;
  /** What the frame says of its length, whatever it has. */
  readonly length?: bigint;
  /** How many bytes say so. */
  readonly lengthBytes?: 1 | 2 | 8;
};

/** Writes a frame, also one that breaks the rules. */
export function frame(
  payload: Uint8Array | string,
  options: FrameOptions = {},
): Buffer {
  const { opcode = OPCODES.text, isLast = true, isMasked = true } = options;
  const bytes = Buffer.from(payload as string);
  const { reserved = 0, length = BigInt(bytes.length) } = options;
  const usual = length < 126n ? 1 : length < 65_536n ? 2 : 8;
  const { lengthBytes = usual } = options;
  const first = (isLast ? 0x80 : 0) | (reserved << 4) | opcode;
  const small =
    lengthBytes === 1 ? Number(length) : lengthBytes === 2 ? 126 : 127;
  const head = Buffer.from([first, (isMasked ? 0x80 : 0) | (small & 0x7f)]);
  const long = Buffer.alloc(lengthBytes === 1 ? 0 : lengthBytes);
  if (lengthBytes === 2) long.writeUInt16BE(Number(length & 0xffffn));
  if (lengthBytes === 8) long.writeBigUInt64BE(length);
  if (!isMasked) return Buffer.concat([head, long, bytes]);
  const mask = randomBytes(4);
  const masked = bytes.map((byte, at) => byte ^ (mask[at % 4] ?? 0));
  return Buffer.concat([head, long, mask, masked]);
}

/** A WebSocket that sends whatever bytes it is given. */
export class RawSocket {
  /** Of the answer to the handshake. */
  readonly status: number;
  readonly answer: string;
  /** The text frames that came, in order. */
  readonly texts: string[] = [];
  /** Of the frame that closed it. */
  closeCode: number | undefined;
  readonly #socket: Socket;
  #rest: Buffer;

  private constructor(socket: Socket, answer: string, rest: Buffer) {
    this.#socket = socket;
    this.answer = answer;
    this.status = Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0);
    this.#rest = rest;
    socket.on("data", (data: Buffer) => this.#take(data));
    if (rest.length > 0) this.#take(Buffer.alloc(0));
  }

  /** @param target path and query, as they are sent */
  static async open(
    baseUrl: string,
    target: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<RawSocket> {
    const { hostname, port, host } = new URL(baseUrl);
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on("error", () => {});
    await once(socket, "connect");
    const lines = {
      ...{ host, connection: "Upgrade", upgrade: "websocket" },
      "sec-websocket-version": "13",
      "sec-websocket-key": randomBytes(16).toString("base64"),
      ...headers,
    };
    const head = Object.entries(lines).map(
      ([name, value]) => `${name}: ${value}`,
    );
    socket.write(
      Buffer.from(
        [`GET ${target} HTTP/1.1`, ...head, "", ""].join("\r\n"),
        "latin1",
      ),
    );
    let got = Buffer.alloc(0);
    for await (const part of on(socket)) {
      got = Buffer.concat([got, part]);
      if (got.includes("\r\n\r\n")) break;
    }
    const end = got.indexOf("\r\n\r\n") + 4;
    const isOpen = got.subarray(0, 12).toString("latin1").endsWith(" 101");
    const answer = got.subarray(0, isOpen ? end : got.length).toString();
    const raw = new RawSocket(
      socket,
      answer,
      isOpen ? got.subarray(end) : Buffer.alloc(0),
    );
    if (!isOpen) socket.destroy();
    return raw;
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed && this.#socket.readyState === "open";
  }

  send(bytes: Uint8Array): void {
    if (this.isOpen) this.#socket.write(bytes);
  }

  /** Breaks off, or says that it leaves. */
  async leave(isRude: boolean): Promise<void> {
    if (this.#socket.destroyed) return;
    const closed = once(this.#socket, "close");
    if (isRude) this.#socket.destroy();
    else {
      this.send(frame(Buffer.from([0x03, 0xe8]), { opcode: OPCODES.close }));
      this.#socket.end();
    }
    await closed;
  }

  #take(data: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, data]);
    for (;;) {
      const found = readFrame(this.#rest);
      if (!found) return;
      this.#rest = this.#rest.subarray(found.size);
      const { opcode, payload } = found;
      if (opcode === OPCODES.text) this.texts.push(payload.toString());
      if (opcode === OPCODES.close)
        this.closeCode = payload.length >= 2 ? payload.readUInt16BE() : 1005;
      if (opcode === OPCODES.ping) this.send(frame(payload, { opcode: 10 }));
    }
  }
}

/** The parts that a socket gets, until it closes. */
async function* on(socket: Socket): AsyncGenerator<Buffer> {
  const parts: Buffer[] = [];
  let wake = () => {};
  let isClosed = false;
  const take = (part: Buffer): void => {
    parts.push(part);
    wake();
  };
  const close = (): void => {
    isClosed = true;
    wake();
  };
  socket.on("data", take).on("close", close);
  try {
    for (;;) {
      const part = parts.shift();
      if (part) yield part;
      else if (isClosed) return;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    socket.off("data", take).off("close", close);
  }
}

/** Frames of a server have no mask. */
function readFrame(
  bytes: Buffer,
): { opcode: number; payload: Buffer; size: number } | undefined {
  if (bytes.length < 2) return undefined;
  const [first = 0, second = 0] = bytes;
  let start = 2;
  let length = second & 0x7f;
  if (length === 126) {
    if (bytes.length < 4) return undefined;
    length = bytes.readUInt16BE(2);
    start = 4;
  } else if (length === 127) {
    if (bytes.length < 10) return undefined;
    length = Number(bytes.readBigUInt64BE(2));
    start = 10;
  }
  const size = start + length;
  if (bytes.length < size) return undefined;
  return { opcode: first & 0x0f, payload: bytes.subarray(start, size), size };
}
