import assert from "node:assert/strict";
import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import fastify from "fastify";
import {
  EVENT_STREAM_HEADERS,
  openEventStream,
  type EventStream,
} from "./event-stream.ts";

/** Opens a stream between a server and a client. */
async function connect(agent: { end: () => void }) {
  const app = fastify();
  const { promise, resolve } = Promise.withResolvers<EventStream>();
  const { promise: closed, resolve: close } = Promise.withResolvers<void>();
  app.get("/", async (_request, reply) => {
    const stream = openEventStream(reply, close);
    resolve(stream);
    return reply.headers(EVENT_STREAM_HEADERS).send(stream.body);
  });
  await app.listen({ host: "localhost", port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const asked = request({ host: "localhost", port, agent: false }).end();
  const [response] = (await once(asked, "response")) as [IncomingMessage];
  agent.end = () => response.destroy();
  return { app, response, closed, stream: await promise };
}

test("events have a name, an id and their data, each on a line", async () => {
  const client = { end: () => {} };
  const { app, response, stream } = await connect(client);
  stream.write("post", '{"ID":1}', "a");
  stream.beat("b");
  stream.end();
  let text = "";
  for await (const chunk of response) text += String(chunk);
  assert.equal(
    text,
    'retry: 3000\n\nevent: post\nid: a\ndata: {"ID":1}\n\n:\nid: b\n\n',
  );
  stream.write("late", "{}", "c");
  await app.close();
});

test("a client that does not read is dropped", async () => {
  const client = { end: () => {} };
  const { app, response, stream, closed } = await connect(client);
  response.on("error", () => {});
  response.pause();
  let isOpen = true;
  void closed.then(() => {
    isOpen = false;
  });
  let written = 0;
  const data = JSON.stringify("x".repeat(8_000));
  while (isOpen) {
    stream.write("post", data, "a");
    written += data.length;
    assert.ok(written < 200_000_000, "it keeps everything");
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.ok(stream.body.readableLength < 128 * 1024);
  client.end();
  await app.close();
});

test("a client that leaves closes its stream", async () => {
  const client = { end: () => {} };
  const { app, closed } = await connect(client);
  client.end();
  await closed;
  await app.close();
});
