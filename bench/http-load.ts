import { connect } from "node:net";

export type LoadResult = {
  /** From the first request to the last answer. */
  readonly seconds: number;
  /** How often each status was answered. */
  readonly statuses: ReadonlyMap<number, number>;
};

/** A POST as it goes over the wire. */
export function toRequest(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array | string,
): Buffer {
  const { pathname, host } = new URL(url);
  const bytes = Buffer.from(body);
  const lines = Object.entries({
    host,
    ...headers,
    "content-length": String(bytes.length),
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `POST ${pathname} HTTP/1.1\r\n${lines.join("")}\r\n`;
  return Buffer.concat([Buffer.from(head), bytes]);
}

/**
 * Sends requests as they are over keep-alive connections, on each the next one
 * after the answer to the last. Written on bare sockets: a client that costs more
 * than the server would measure itself.
 */
export async function load(
  port: number,
  requests: readonly Buffer[],
  connections: number,
): Promise<LoadResult> {
  const statuses = new Map<number, number>();
  let next = 0;
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: connections }, () =>
      sendAll(
        port,
        () => requests[next++],
        (status) => {
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        },
      ),
    ),
  );
  return { seconds: (performance.now() - startedAt) / 1000, statuses };
}

function sendAll(
  port: number,
  take: () => Buffer | undefined,
  note: (status: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    let received = "";
    const sendNext = (): void => {
      const request = take();
      if (request) socket.write(request);
      else socket.end();
    };
    socket.on("connect", sendNext);
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
      const end = received.indexOf("\r\n\r\n");
      if (end < 0) return;
      const length = /\r\ncontent-length: (\d+)/i.exec(received);
      if (received.length < end + 4 + Number(length?.[1] ?? 0)) return;
      note(Number(received.slice(9, 12)));
      received = "";
      sendNext();
    });
    socket.on("error", reject);
    socket.on("close", () => resolve());
  });
}
