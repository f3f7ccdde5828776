import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";

/** A request received by the peer. */
export type Received = {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
};

type Answer = (response: ServerResponse, received: Received) => void;

const ACCEPT: Answer = (response) => response.writeHead(202).end();

/** Another server, on a loopback port, with responses set by the test. */
export class Peer {
  /** All that was posted, in its order. */
  readonly received: Received[] = [];
  /** How many times it was asked for anything else. */
  visits = 0;
  #answer: Answer = ACCEPT;
  #answerVisit = (response: ServerResponse): void => {
    response.writeHead(404).end();
  };
  #isUp = true;
  readonly #held: ServerResponse[] = [];
  readonly #server: Server;

  static async start(): Promise<Peer> {
    const peer = new Peer();
    await peer.#listen(0);
    return peer;
  }

  private constructor() {
    this.#server = createServer((request, response) => {
      void this.#take(request, response);
    });
  }

  get origin(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  get inbox(): string {
    return `${this.origin}/receive/public`;
  }

  countOf(body: string): number {
    return this.received.filter((one) => one.body === body).length;
  }

  /** Answers from now on as `answer` does. */
  act(answer: Answer): void {
    this.#answer = answer;
  }

  /** The same where it is asked for anything else; else that is not found. */
  actOnVisits(answer: (response: ServerResponse) => void): void {
    this.#answerVisit = answer;
  }

  /** Accepts requests, and does not answer until `release`. */
  hold(): void {
    this.act((response) => this.#held.push(response));
  }

  /** Answers held requests, and all later ones. */
  release(): void {
    this.act(ACCEPT);
    for (const response of this.#held.splice(0)) response.writeHead(202).end();
  }

  /** From now on every connection is cut, as if there were no server. */
  goDown(): void {
    this.#isUp = false;
  }

  comeBack(): void {
    this.#isUp = true;
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #listen(port: number): Promise<void> {
    this.#server.listen(port, "127.0.0.1");
    await once(this.#server, "listening");
  }

  async #take(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    if (!this.#isUp) return void request.destroy();
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const received = {
      path: request.url ?? "",
      headers: request.headers,
      body,
    };
    if (request.method !== "POST") {
      this.visits += 1;
      return this.#answerVisit(response);
    }
    this.received.push(received);
    this.#answer(response, received);
  }
}
