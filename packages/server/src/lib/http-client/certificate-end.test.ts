import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { test } from "node:test";
import { findCertificateEnd } from "./certificate-end.ts";

test("an address without a certificate has no end of one", async () => {
  const server = createServer((socket) => socket.end("HTTP/1.1 400\r\n\r\n"));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  try {
    await assert.rejects(
      findCertificateEnd(new URL(`https://127.0.0.1:${port}`)),
    );
  } finally {
    server.close();
  }
  await assert.rejects(
    findCertificateEnd(new URL(`https://127.0.0.1:${port}`)),
    /ECONNREFUSED/,
  );
});
