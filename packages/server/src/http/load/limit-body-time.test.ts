import assert from "node:assert/strict";
import { connect, type AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { silentLog } from "../../observability/log.ts";
import { createApp } from "../app.ts";

const config = { access: "anyone", limit: "none" } as const;

const app = createApp({
  ...{ log: silentLog(), trustedProxies: [], bodyTimeoutMs: 50 },
  notFound: (_request, reply) => Promise.resolve(reply.code(404).send()),
});
app.post("/form", { config }, () => ({}));
app.get("/form", { config }, () => ({}));
app.post("/stream", { config: { ...config, body: "stream" } }, () => ({}));

before(() => app.listen({ port: 0, host: "127.0.0.1" }));
after(() => app.close());

/** Sends a head and a part of its body. @returns when the other side ends the connection */
function sendPart(head: string): Promise<void> {
  const { port } = app.server.address() as AddressInfo;
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  socket.write(`${head}\r\nhost: x\r\ncontent-length: 100\r\n\r\nbegin`);
  return new Promise((resolve) => {
    socket.resume().once("close", () => resolve());
  });
}

test("a body that does not come in time ends its connection", async () => {
  await sendPart("POST /form HTTP/1.1");
  await sendPart("GET /form HTTP/1.1");
});

test("a body that is read as it comes may take longer", async () => {
  const type = "content-type: multipart/form-data; boundary=x";
  const ended = sendPart(`POST /stream HTTP/1.1\r\n${type}`).then(
    () => "ended",
  );
  await sendPart("POST /form HTTP/1.1");
  const pending = Promise.resolve("open");
  assert.equal(await Promise.race([ended, pending]), "open");
  app.server.closeAllConnections();
  await ended;
});
