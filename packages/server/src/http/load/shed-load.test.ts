import assert from "node:assert/strict";
import { connect, type Socket } from "node:net";
import { once } from "node:events";
import { afterEach, beforeEach, describe, test } from "node:test";
import type { FastifyInstance } from "fastify";
import { silentLog } from "../../observability/log.ts";
import { createApp } from "../app.ts";
import { registerHealth } from "../health-routes.ts";

const LIMITS = { messages: 2, others: 2, bodyBytes: 1_000 };

describe("above what it can do the server", () => {
  let app: FastifyInstance;
  let baseUrl: string;
  let release: () => void;
  const sockets: Socket[] = [];

  beforeEach(async () => {
    app = createApp({
      log: silentLog(),
      trustedProxies: [],
      loadLimits: LIMITS,
      notFound: async (_request, reply) => reply.code(404).send(),
    });
    const gate = Promise.withResolvers<void>();
    release = gate.resolve;
    const wait = async () => {
      await gate.promise;
      return "done";
    };
    const message = {
      access: "message",
      limit: "message",
      body: "raw",
    } as const;
    app.post("/inbox", { config: message }, wait);
    app.post("/length", { config: message }, async ({ body }) =>
      String((body as Buffer).length),
    );
    app.get("/page", { config: { access: "anyone", limit: "read" } }, wait);
    registerHealth(app, async () => undefined);
    baseUrl = await app.listen({ host: "127.0.0.1", port: 0 });
  });
  afterEach(async () => {
    release();
    for (const socket of sockets.splice(0)) socket.destroy();
    await app.close();
  });

  const send = (path: string, body?: string) =>
    fetch(
      `${baseUrl}${path}`,
      body === undefined ? {} : { method: "POST", body },
    );
  /** One more than is let in: all but the refused one wait behind the gate. */
  const fill = async (path: string, body?: string) => {
    const all = [send(path, body), send(path, body), send(path, body)];
    const refused = await Promise.race(all);
    assert.equal(refused.status, 503);
    return { all, refused };
  };
  const statuses = async (all: Promise<Response>[]) =>
    (await Promise.all(all)).map(({ status }) => status).toSorted();

  test("refuses messages with 503 and Retry-After, serves those it took, and has room again", async () => {
    const { all, refused } = await fill("/inbox", "hello");
    assert.match(refused.headers.get("retry-after") ?? "", /^\d+$/);
    assert.deepEqual(await refused.json(), { error: "Service unavailable" });
    release();
    assert.deepEqual(await statuses(all), [200, 200, 503]);
    for (let time = 0; time < 5; time += 1)
      assert.equal((await send("/inbox", "hello")).status, 200);
  });

  test("keeps its pages open under a flood of messages, and the other way round", async () => {
    const messages = await fill("/inbox", "hello");
    const pages = await fill("/page");
    assert.equal((await send("/healthz")).status, 200);
    release();
    for (const { all } of [messages, pages])
      assert.deepEqual(await statuses(all), [200, 200, 503]);
  });

  test("makes room where a client goes away", async () => {
    for (let time = 0; time < 3 * LIMITS.messages; time += 1) {
      const socket = await open();
      socket.write(
        "POST /inbox HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc",
      );
      // An answer went past it, so it has come in.
      await (await send("/healthz")).text();
      socket.destroy();
    }
    release();
    let status: number;
    do ({ status } = await send("/inbox", "hello"));
    while (status === 503);
    assert.equal(status, 200);
  });

  test("keeps no more of all bodies than fits, and forgets them when they are answered", async () => {
    const slow = await open();
    slow.write(
      `POST /length HTTP/1.1\r\nHost: x\r\nContent-Length: 900\r\n\r\n${"a".repeat(800)}`,
    );
    let refused: Response;
    do refused = await send("/length", "b".repeat(300));
    while (refused.status !== 503);
    assert.equal(await (await send("/length", "c".repeat(100))).text(), "100");
    slow.write("a".repeat(100));
    const [answer] = (await once(slow, "data")) as [Buffer];
    assert.match(answer.toString(), /900$/);
    assert.equal(
      await (await send("/length", "d".repeat(1_000))).text(),
      "1000",
    );
    assert.equal((await send("/length", "e".repeat(1_001))).status, 503);
  });

  async function open(): Promise<Socket> {
    const { hostname, port } = new URL(baseUrl);
    const socket = connect({ host: hostname, port: Number(port) });
    sockets.push(socket);
    await once(socket, "connect");
    return socket;
  }
});
