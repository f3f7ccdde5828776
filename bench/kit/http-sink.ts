import { createServer, type Socket } from "node:net";
import { once } from "node:events";

/** How a host takes what is sent to it. */
export type Manner = "well" | "slow" | "silent";

export type Sink = {
  readonly port: number;
  /** Milliseconds (`performance.now`) at which each delivery came to hosts that are well. */
  readonly arrivals: readonly number[];
  readonly close: () => Promise<void>;
};

const ACCEPTED = Buffer.from(
  "HTTP/1.1 202 Accepted\r\ncontent-length: 0\r\n\r\n",
);
const NOT_FOUND = Buffer.from(
  "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n",
);
const SLOW_MS = 5_000;

/**
 * Takes POSTs at every loop-back address and answers 202, and anything else 404. Written on bare sockets:
 * a receiver that costs more than the sender would measure itself. Silent hosts
 * take the connection and say nothing.
 */
export async function openSink(
  mannerOf: (address: string) => Manner = () => "well",
): Promise<Sink> {
  const arrivals: number[] = [];
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    const manner = mannerOf(socket.localAddress ?? "");
    if (manner === "silent") return void socket.resume();
    takeRequests(socket, (method) => {
      if (manner === "slow") {
        setTimeout(() => socket.write(ACCEPTED), SLOW_MS);
        return;
      }
      // What else it is asked, such as which software it runs, is no delivery.
      if (method === "POST") arrivals.push(performance.now());
      socket.write(method === "POST" ? ACCEPTED : NOT_FOUND);
    });
  });
  server.listen(0, "0.0.0.0");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string")
    throw new Error("No port was given");
  return {
    port: address.port,
    arrivals,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

function takeRequests(socket: Socket, take: (method: string) => void): void {
  let head = "";
  let method = "";
  let missing = 0;
  socket.on("data", (chunk) => {
    let rest: Buffer = Buffer.from(chunk);
    while (rest.length > 0) {
      if (missing > 0) {
        const taken = Math.min(missing, rest.length);
        missing -= taken;
        rest = rest.subarray(taken);
        if (missing === 0) take(method);
        continue;
      }
      head += rest.toString("latin1");
      const end = head.indexOf("\r\n\r\n");
      if (end < 0) return;
      const body = Buffer.from(head.slice(end + 4), "latin1");
      method = head.slice(0, head.indexOf(" "));
      missing = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
      head = "";
      rest = body;
      if (missing === 0) take(method);
    }
  });
}
