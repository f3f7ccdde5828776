import { createServer, type Socket } from "node:net";
import { once } from "node:events";

/** The behavior of a host. */
export type Behavior = "healthy" | "slow" | "silent";

export type Sink = {
  readonly port: number;
  /** The time (`performance.now`) of each delivery to a healthy host, in milliseconds. */
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
 * Answers POSTs at every loopback address with 202, and anything else with 404. Uses bare sockets: a receiver that costs
 * more than the sender would measure itself. Silent hosts accept the connection and never answer.
 */
export async function openSink(
  behaviorOf: (address: string) => Behavior = () => "healthy",
): Promise<Sink> {
  const arrivals: number[] = [];
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    const behavior = behaviorOf(socket.localAddress ?? "");
    if (behavior === "silent") return void socket.resume();
    takeRequests(socket, (method) => {
      if (behavior === "slow") {
        setTimeout(() => socket.write(ACCEPTED), SLOW_MS);
        return;
      }
      // Other requests, such as NodeInfo, are not deliveries.
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
