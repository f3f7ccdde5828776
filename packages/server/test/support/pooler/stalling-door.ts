import { once } from "node:events";
import {
  connect,
  createServer,
  type AddressInfo,
  type Server,
  type Socket,
} from "node:net";
import { throughPort } from "../server/databases.ts";

/**
 * Stands before a PostgreSQL, or a pooler, as a load balancer does. Its connections can become
 * stalled: they stay open on both sides, and nothing is passed on any more.
 */
export class StallingDoor {
  readonly #url: string;
  readonly #server: Server;
  readonly #all = new Set<Socket>();
  /** Those that are not stalled. */
  readonly #sockets = new Set<Socket>();

  static async open(url: string): Promise<StallingDoor> {
    const server = createServer({ allowHalfOpen: true });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return new StallingDoor(url, server);
  }

  private constructor(url: string, server: Server) {
    this.#url = url;
    this.#server = server.on("connection", (near) => this.#join(near));
  }

  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return throughPort(this.#url, port);
  }

  /** Silences the connections that are open; new ones work. */
  stall(): void {
    for (const socket of this.#sockets)
      socket.removeAllListeners("data").resume();
    this.#sockets.clear();
  }

  async close(): Promise<void> {
    for (const socket of this.#all) socket.destroy();
    await new Promise((done) => this.#server.close(done));
  }

  #join(near: Socket): void {
    const { port, hostname } = new URL(this.#url);
    const far = connect(Number(port === "" ? 5432 : port), hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#all.add(from);
      this.#sockets.add(from.setNoDelay());
      from.on("data", (bytes: Buffer) => to.write(bytes));
      from.on("error", () => {});
      const end = (): void => {
        // A stalled one does not pass its end on either.
        if (this.#sockets.delete(from)) to.end();
      };
      from.on("end", end).on("close", end);
    }
  }
}
