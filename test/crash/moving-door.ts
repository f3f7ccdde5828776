import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";

/** An address that leads to one port after another, as that of a database with a standby. */
export class MovingDoor {
  readonly port: number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #target: number;

  static async open(target: number): Promise<MovingDoor> {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    return new MovingDoor(server, target);
  }

  private constructor(server: Server, target: number) {
    const address = server.address();
    if (address === null || typeof address === "string")
      throw new Error("no port");
    this.port = address.port;
    this.#target = target;
    this.#server = server.on("connection", (near) => this.#join(near));
  }

  /** Leads to another port from now on, and ends what is open. */
  moveTo(target: number): void {
    this.#target = target;
    for (const socket of this.#sockets) socket.destroy();
  }

  #join(near: Socket): void {
    const far = connect(this.#target, "127.0.0.1");
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(from);
      from.on("error", () => to.destroy());
      from.on("close", () => {
        this.#sockets.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    const closed = once(this.#server, "close");
    this.#server.close();
    await closed;
  }
}
