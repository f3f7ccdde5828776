import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";

/** An address that leads to one port after another, as that of a database with a standby. */
export class MovingDoor {
  readonly port: number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #target: number | undefined;

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

  /** Passes nothing on, as a network that loses everything. `moveTo` ends that. */
  stall(): void {
    for (const socket of this.#sockets) socket.unpipe().pause();
    this.#target = undefined;
  }

  #join(near: Socket): void {
    if (this.#target === undefined) {
      this.#sockets.add(near.on("error", () => {}));
      return;
    }
    const far = connect(this.#target, "127.0.0.1");
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(from.setNoDelay());
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
