import { connect } from "node:net";

export type LoadResult = {
  /** From the first request to the last answer. */
  readonly seconds: number;
  /** The number of responses by status. */
  readonly statuses: ReadonlyMap<number, number>;
  /** Milliseconds from each request to its answer, ascending. */
  readonly latencies: readonly number[];
};

/** A request as sent over the wire; a POST, unless it has no body. */
export function toRequest(
  url: string,
  headers: Readonly<Record<string, string>>,
  body?: Uint8Array | string,
): Buffer {
  const { pathname, search, host } = new URL(url);
  const method = body === undefined ? "GET" : "POST";
  const bytes = Buffer.from(body ?? "");
  const lines = Object.entries({
    host,
    ...headers,
    "content-length": String(bytes.length),
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `${method} ${pathname}${search} HTTP/1.1\r\n${lines.join("")}\r\n`;
  return Buffer.concat([Buffer.from(head), bytes]);
}

/**
 * Sends prepared requests over keep-alive connections, on each the next one after the previous response. Uses bare
 * sockets: a client that costs more than the server would measure itself.
 * @param forSeconds no request is sent after this time
 */
export async function load(
  port: number,
  requests: readonly Buffer[],
  connections: number,
  forSeconds = Infinity,
): Promise<LoadResult> {
  const statuses = new Map<number, number>();
  const latencies: number[] = [];
  let next = 0;
  const startedAt = performance.now();
  const end = startedAt + forSeconds * 1000;
  const take = () => (performance.now() < end ? requests[next++] : undefined);
  await Promise.all(
    Array.from({ length: connections }, () =>
      sendAll(port, take, (status, ms) => {
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        latencies.push(ms);
      }),
    ),
  );
  return {
    seconds: (performance.now() - startedAt) / 1000,
    statuses,
    latencies: latencies.toSorted((a, b) => a - b),
  };
}

function sendAll(
  port: number,
  take: () => Buffer | undefined,
  note: (status: number, ms: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    const chunks: string[] = [];
    let [wanted, received] = [Infinity, 0];
    let sentAt = 0;
    const sendNext = (): void => {
      const request = take();
      sentAt = performance.now();
      if (request) socket.write(request);
      else socket.end();
    };
    socket.on("connect", sendNext);
    socket.on("data", (chunk) => {
      received += chunk.length;
      if (wanted === Infinity) {
        chunks.push(chunk.toString("latin1"));
        wanted = lengthOf(chunks.join(""));
      }
      if (received < wanted) return;
      note(Number((chunks[0] ?? "").slice(9, 12)), performance.now() - sentAt);
      chunks.length = 0;
      [wanted, received] = [Infinity, 0];
      sendNext();
    });
    socket.on("error", reject);
    socket.on("close", () => resolve());
  });
}

/** The length of a response according to its head; Infinity if the head is incomplete. */
function lengthOf(text: string): number {
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) return Infinity;
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, end));
  return end + 4 + Number(length?.[1] ?? 0);
}
