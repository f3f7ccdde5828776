import assert from "node:assert/strict";
import { request, type IncomingMessage } from "node:http";

/** One event, as a client of server-sent events sees it. */
export type StreamEvent = {
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly id: string;
};

/** A reader of one stream of server-sent events, over a connection of its own. */
export class EventReader {
  readonly response: IncomingMessage;
  /** Resolves once the server has ended the stream or the connection. */
  readonly ended: Promise<void>;
  /** The place to continue from. */
  lastId = "";
  #text = "";
  readonly #events: StreamEvent[] = [];
  #wake: () => void = () => {};
  #isEnded = false;

  constructor(response: IncomingMessage) {
    this.response = response;
    this.ended = new Promise((resolve) =>
      response.once("close", () => {
        this.#isEnded = true;
        this.#wake();
        resolve();
      }),
    );
    response.on("error", () => {});
    response.setEncoding("utf8");
    response.on("data", (text: string) => this.#read(text));
  }

  #read(text: string): void {
    const blocks = (this.#text + text).split("\n\n");
    this.#text = blocks.pop() ?? "";
    for (const block of blocks) this.#readBlock(block);
    this.#wake();
  }

  #readBlock(block: string): void {
    const fields = new Map(
      block.split("\n").map((line) => {
        const [name = "", ...rest] = line.split(": ");
        return [name, rest.join(": ")] as const;
      }),
    );
    const id = fields.get("id");
    if (id !== undefined) this.lastId = id;
    const data = fields.get("data");
    if (data === undefined) return;
    this.#events.push({
      event: fields.get("event") ?? "",
      data: JSON.parse(data) as StreamEvent["data"],
      id: id ?? "",
    });
  }

  /** Resolves once the server has sent a place to continue from. */
  async begun(): Promise<this> {
    while (this.lastId === "") await this.#more();
    return this;
  }

  #more(): Promise<void> {
    assert.ok(!this.#isEnded, "the stream has ended");
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  async next(): Promise<StreamEvent> {
    while (this.#events.length === 0) await this.#more();
    return this.#events.shift() ?? assert.fail();
  }

  /** All events up to the first one that `isLast` accepts, which is not returned. */
  async until(isLast: (event: StreamEvent) => boolean): Promise<StreamEvent[]> {
    const found: StreamEvent[] = [];
    for (;;) {
      const event = await this.next();
      if (isLast(event)) return found;
      found.push(event);
    }
  }

  leave(): void {
    this.response.destroy();
  }
}

/** Opens the stream of changes, and waits until it has begun. */
export async function watchChanges(
  baseUrl: string,
  token: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<EventReader> {
  const response = await askForChanges(baseUrl, token, headers);
  assert.equal(response.statusCode, 200);
  return new EventReader(response).begun();
}

export function askForChanges(
  baseUrl: string,
  token: string,
  headers: Readonly<Record<string, string>> = {},
  path = "/api/v0/changes",
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const asked = request(
      new URL(path, baseUrl),
      { agent: false, headers: { access_token: token, ...headers } },
      resolve,
    );
    asked.once("error", reject);
    asked.end();
  });
}
