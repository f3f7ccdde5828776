import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import { createGuardedFetch } from "./guarded-fetch.ts";
import { assertFetchRefused, useTestServer } from "./guarded-fetch.fixture.ts";

const kit = useTestServer();

describe("limits", () => {
  test("a body over the limit, announced or not", async () => {
    kit.handler = (_req, res) => res.end("x".repeat(1001));
    await assertFetchRefused(kit.get(kit.at("/")), "too_large");
    kit.handler = (_req, res) => {
      res.write("x".repeat(600));
      res.end("x".repeat(600));
    };
    await assertFetchRefused(kit.get(kit.at("/")), "too_large");
    kit.handler = (_req, res) => res.end("x".repeat(1000));
    assert.equal((await kit.get(kit.at("/"))).body.byteLength, 1000);
  });

  test("an endless body", async () => {
    kit.handler = (_req, res) => {
      const pour = () => {
        while (!res.destroyed && res.write("x".repeat(65_536)));
      };
      res.on("drain", pour);
      pour();
    };
    await assertFetchRefused(
      kit.get(kit.at("/"), { maxBytes: 1_000_000 }),
      "too_large",
    );
  });

  test("the beginning of a longer body, where that is enough", async () => {
    kit.handler = (_req, res) => {
      const pour = () => {
        while (!res.destroyed && res.write("x".repeat(65_536)));
      };
      res.on("drain", pour);
      pour();
    };
    const endless = await kit.get(kit.at("/"), {
      maxBytes: 100_000,
      cut: true,
    });
    assert.equal(endless.body.byteLength, 100_000);
    kit.handler = (_req, res) => {
      const bomb = gzipSync(Buffer.alloc(50_000_000, "y"));
      res.writeHead(200, { "content-encoding": "gzip" }).end(bomb);
    };
    const bomb = await kit.get(kit.at("/"), { maxBytes: 100_000, cut: true });
    assert.equal(Buffer.from(bomb.body).toString(), "y".repeat(100_000));
    kit.handler = (_req, res) => res.end("short");
    const short = await kit.get(kit.at("/"), { cut: true });
    assert.equal(Buffer.from(short.body).toString(), "short");
  });

  test("gzip is unpacked, a bomb is not", async () => {
    const send = (bytes: Uint8Array, encoding = "gzip") => {
      kit.handler = (_req, res) =>
        res.writeHead(200, { "content-encoding": encoding }).end(bytes);
    };
    send(gzipSync("hello"));
    const answer = await kit.get(kit.at("/"));
    assert.equal(Buffer.from(answer.body).toString(), "hello");
    assert.equal(answer.headers["content-encoding"], undefined);
    send(gzipSync(Buffer.alloc(50_000_000)));
    await assertFetchRefused(
      kit.get(kit.at("/"), { maxBytes: 1_000_000 }),
      "too_large",
    );
    send(Buffer.concat(Array.from({ length: 500 }, () => gzipSync(""))));
    await assertFetchRefused(kit.get(kit.at("/")), "too_large");
    send(Buffer.from("no gzip at all"));
    await assertFetchRefused(kit.get(kit.at("/")), "network");
    for (const encoding of ["br", "gzip, gzip", "deflate"]) {
      send(gzipSync("hello"), encoding);
      await assertFetchRefused(kit.get(kit.at("/")), "network");
    }
  });

  test("headers over the limit", async () => {
    kit.handler = (_req, res) =>
      res.writeHead(200, { a: "b".repeat(20_000) }).end();
    await assertFetchRefused(kit.get(kit.at("/")), "too_large");
  });

  test("silence, slow headers and a slow drip all end at the deadline", async () => {
    const limit = { timeoutMs: 150 };
    kit.handler = () => undefined;
    await assertFetchRefused(kit.get(kit.at("/silent"), limit), "timeout");
    kit.handler = (_req, res) => {
      const timer = setInterval(() => res.write("x"), 20);
      res.on("close", () => {
        clearInterval(timer);
      });
    };
    // It drips without end, so that nothing but the deadline ends it.
    await assertFetchRefused(kit.get(kit.at("/drip"), limit), "timeout");
    kit.handler = (req, res) => {
      setTimeout(
        () => res.writeHead(302, { location: `${req.url ?? ""}a` }).end(),
        60,
      );
    };
    await assertFetchRefused(kit.get(kit.at("/hops/"), limit), "timeout");
  });

  test("a resolver and a signer that never answer", async () => {
    const stuck = createGuardedFetch({
      allowPrivateNetwork: true,
      userAgent: "Kith/test",
      resolve: () => new Promise(() => undefined),
    });
    const r = {
      method: "GET",
      url: "http://slow.example",
      maxBytes: 1,
    } as const;
    await assertFetchRefused(stuck.request({ ...r, timeoutMs: 50 }), "timeout");
    const connect = { ...r, timeoutMs: 30_000, connectTimeoutMs: 50 };
    await assertFetchRefused(stuck.request(connect), "timeout");
    const sign = () => new Promise<never>(() => undefined);
    await assertFetchRefused(
      kit.get(kit.at("/"), { timeoutMs: 50, sign }),
      "timeout",
    );
    await stuck.close();
  });
});
