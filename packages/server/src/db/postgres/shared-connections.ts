import { Socket } from "node:net";
import type { PostgresPool, PostgresPoolClient } from "kysely";
import type { Client } from "pg";

/** Queries of one turn of the event loop that use the same connection. */
const MAX_TOGETHER = 8;

/** Connects with this socket; `onBroken` is called when the connection becomes unusable. */
export type Connect = (socket: Socket, onBroken: () => void) => Promise<Client>;

/** A connection with concurrent users, and their number. */
type Shared = {
  readonly opened: Promise<PostgresPoolClient>;
  users: number;
};

/**
 * A few connections that all readers share: queries are sent immediately,
 * behind those of others (`pipeline` of `pg`), instead of taking turns on many
 * connections. A page with a dozen queries wakes one PostgreSQL backend once,
 * not twelve. Queries that depend on session state must not use them, so no
 * transactions.
 */
export function shareConnections(open: Connect, most: number): PostgresPool {
  const shared: Shared[] = [];
  const opened = new Set<Client>();
  function add(): Shared {
    const one: Shared = { opened: connect(), users: 0 };
    shared.push(one);
    function forget(): void {
      const place = shared.indexOf(one);
      if (place >= 0) shared.splice(place, 1);
    }
    async function connect(): Promise<PostgresPoolClient> {
      try {
        const socket = new Socket();
        const client = await open(socket, forget);
        opened.add(client);
        client.once("end", () => opened.delete(client));
        return lend(client, socket, () => (one.users -= 1));
      } catch (error) {
        forget();
        throw error;
      }
    }
    return one;
  }
  function leastUsed(): Shared {
    const [first, ...others] = shared;
    let least = first;
    for (const one of others) if (least && one.users < least.users) least = one;
    return !least || (least.users > 0 && shared.length < most) ? add() : least;
  }
  let chosen: Shared | undefined;
  let asked = 0;
  function choose(): Shared {
    asked += 1;
    if (chosen && asked < MAX_TOGETHER && shared.includes(chosen))
      return chosen;
    if (!chosen) setImmediate(() => (chosen = undefined));
    asked = 0;
    return (chosen = leastUsed());
  }
  return {
    options: {},
    connect: async () => {
      const one = choose();
      one.users += 1;
      return one.opened;
    },
    end: async () => {
      await Promise.allSettled(shared.map((one) => one.opened));
      await Promise.all([...opened].map((client) => client.end()));
    },
  };
}

/**
 * Sends the queries of one turn of the event loop in one piece. Kysely identifies a connection by
 * its object, so each has one permanent wrapper.
 */
export function lend(
  client: Client,
  socket: Socket,
  release: () => void,
): PostgresPoolClient {
  const query = (text: string, values: unknown[]) => {
    hold(socket);
    return client.query(text, values);
  };
  return { query: query as unknown as PostgresPoolClient["query"], release };
}

/** Sends all queries of one turn of the event loop in one piece. */
function hold(socket: Socket): void {
  if (socket.writableCorked > 0) return;
  socket.cork();
  setImmediate(() => socket.uncork());
}
