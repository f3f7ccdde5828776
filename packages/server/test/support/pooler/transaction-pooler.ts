import { once } from "node:events";
import {
  createServer,
  type AddressInfo,
  type Server,
  type Socket,
} from "node:net";
import { throughPort } from "../server/databases.ts";
import { connectRaw, type RawConnection } from "./raw-connection.ts";
import { FrameReader, frame, type Frame } from "./frames.ts";

/** Messages that are answered with `ReadyForQuery` ("Message Formats" of PostgreSQL's documentation). */
const ASKS_FOR_READY = new Set(["S", "Q"]);
const IN_NO_TRANSACTION = "I".charCodeAt(0);

/** A client, and the connection that it has until its transaction is over. */
type Session = {
  readonly socket: Socket;
  readonly waiting: Frame[];
  lent: RawConnection | undefined;
  /** So many `ReadyForQuery` are awaited. */
  awaited: number;
  /** Was a part of a query sent, whose `Sync` has not come yet? */
  isInQuery: boolean;
};

/**
 * A strict pooler in transaction mode, as PgBouncer is by default: each transaction gets the connection
 * that was idle for the longest time. It refuses what such poolers refuse, `options` and named
 * statements, and rolls back nothing by itself.
 */
export class TransactionPooler {
  readonly #url: string;
  readonly #server: Server;
  readonly #idle: RawConnection[];
  readonly #all: readonly RawConnection[];
  readonly #borrowers = new Map<RawConnection, Session>();
  readonly #queue: Session[] = [];
  readonly #sessions = new Set<Session>();
  /** The refusals, in words; a test expects none. */
  readonly refusals: string[] = [];
  /** Transactions that had a connection. */
  lendings = 0;

  static async start(
    url: string,
    connections: number,
  ): Promise<TransactionPooler> {
    const all = await Promise.all(
      Array.from({ length: connections }, () => connectRaw(url)),
    );
    const pooler = new TransactionPooler(url, all);
    pooler.#server.listen(0, "127.0.0.1");
    await once(pooler.#server, "listening");
    return pooler;
  }

  private constructor(url: string, all: readonly RawConnection[]) {
    this.#url = url;
    this.#all = all;
    this.#idle = [...all];
    this.#server = createServer((socket) => this.#welcome(socket));
    for (const one of all) one.listen((given) => this.#answer(one, given));
  }

  /** Its address. It lets everybody in. */
  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return throughPort(this.#url, port);
  }

  async close(): Promise<void> {
    for (const { socket } of this.#sessions) socket.destroy();
    await new Promise((done) => this.#server.close(done));
    for (const one of this.#all) one.close();
  }

  #welcome(socket: Socket): void {
    const session: Session = {
      socket,
      waiting: [],
      lent: undefined,
      awaited: 0,
      isInQuery: false,
    };
    const reader = new FrameReader({ hasStartUp: true });
    this.#sessions.add(session);
    socket.setNoDelay(true);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => this.#leave(session));
    socket.on("data", (bytes: Buffer) => {
      for (const given of reader.read(bytes)) this.#take(session, given);
    });
  }

  #take(session: Session, given: Frame): void {
    if (given.type === "startup") return this.#start(session, given.body);
    if (given.type === "X") return void session.socket.end();
    if (given.type === "P" && given.body[0] !== 0)
      return this.#refuse(session, "a named statement");
    session.waiting.push(given);
    if (session.lent) this.#forward(session);
    else if (!this.#queue.includes(session)) this.#queue.push(session);
    this.#lend();
  }

  #start({ socket }: Session, body: Buffer): void {
    const words = body.subarray(4).toString().split("\0");
    if (words.includes("options")) {
      this.refusals.push("the startup parameter options");
      return void socket.destroy();
    }
    const [first] = this.#all;
    socket.write(
      Buffer.concat([
        frame("R", Buffer.alloc(4)),
        ...(first?.parameters ?? []),
        frame("K", Buffer.alloc(8)),
        frame("Z", Buffer.of(IN_NO_TRANSACTION)),
      ]),
    );
  }

  #refuse({ socket }: Session, what: string): void {
    this.refusals.push(what);
    socket.destroy();
  }

  #lend(): void {
    for (
      let one = this.#idle[0];
      one && this.#queue.length > 0;
      one = this.#idle[0]
    ) {
      const session = this.#queue.shift();
      if (!session || session.socket.destroyed) continue;
      this.#idle.shift();
      this.#borrowers.set(one, session);
      session.lent = one;
      this.lendings += 1;
      this.#forward(session);
    }
  }

  #forward(session: Session): void {
    for (const given of session.waiting.splice(0)) {
      session.isInQuery = !ASKS_FOR_READY.has(given.type);
      if (!session.isInQuery) session.awaited += 1;
      session.lent?.send(given.whole);
    }
  }

  #answer(one: RawConnection, given: Frame): void {
    const session = this.#borrowers.get(one);
    if (!session) return;
    if (!session.socket.destroyed) session.socket.write(given.whole);
    if (given.type !== "Z") return;
    session.awaited -= 1;
    if (session.awaited > 0 || given.body[0] !== IN_NO_TRANSACTION) return;
    // Its rest would come on another connection.
    if (session.isInQuery) return;
    session.lent = undefined;
    this.#borrowers.delete(one);
    this.#idle.push(one);
    this.#lend();
  }

  /** A transaction of a client that has gone is rolled back. */
  #leave(session: Session): void {
    this.#sessions.delete(session);
    if (!session.lent) return;
    session.awaited += 1;
    session.isInQuery = false;
    session.lent.send(frame("Q", Buffer.from("rollback\0")));
  }
}
