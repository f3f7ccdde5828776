import { Socket } from "node:net";
import type { Client, ClientConfig } from "pg";

/** `pg` is loaded on demand, so its class is extended on demand. */
type ClientClass = typeof Client;

/**
 * A class of connections that send each query immediately, behind those whose answers are still
 * awaited (`pipeline` of `pg`), and all queries of one turn of the event loop in one piece: each
 * piece wakes PostgreSQL once.
 */
export function createPipeliningClient(BaseClient: ClientClass): ClientClass {
  return class extends BaseClient {
    readonly #socket: Socket;
    constructor(config?: ClientConfig) {
      const socket = new Socket();
      super({
        ...config,
        pipeline: true,
        stream: () => socket,
      });
      this.#socket = socket;
      this.query = this.#sendTogether(this.query.bind(this));
    }

    #sendTogether(query: Client["query"]): Client["query"] {
      const send = (...args: Parameters<Client["query"]>) => {
        hold(this.#socket);
        return query(...args);
      };
      return send as Client["query"];
    }
  };
}

function hold(socket: Socket): void {
  if (socket.writableCorked > 0) return;
  socket.cork();
  setImmediate(() => socket.uncork());
}
