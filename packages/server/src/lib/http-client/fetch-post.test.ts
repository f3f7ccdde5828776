import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { OutgoingRequest } from "./guarded-fetch.ts";
import { assertFetchRefused, useTestServer } from "./guarded-fetch.fixture.ts";

const kit = useTestServer();

/** Posts, and wants to know nothing but how it was answered. */
const post = (more: Partial<OutgoingRequest> = {}, path = "/inbox") =>
  kit.open.request({
    method: "POST",
    url: kit.at(path),
    body: Buffer.from("hello"),
    maxBytes: 1000,
    headOnly: true,
    ...more,
  });

describe("a POST of whose answer only the head matters", () => {
  test("arrives signed, with our headers, and returns status and headers", async () => {
    let body = "";
    kit.handler = (req, res) => {
      req.on("data", (chunk) => (body += String(chunk)));
      req.on("end", () =>
        res.writeHead(429, { "retry-after": "7", "set-cookie": "a=b" }).end(),
      );
    };
    const answer = await post({
      headers: { "Content-Type": "text/plain", cookie: "never" },
      sign: async ({ method, url, headers }) => ({
        "x-signed": `${method} ${url} ${headers["host"]}`,
      }),
    });
    assert.equal(answer.status, 429);
    assert.equal(answer.headers["retry-after"], "7");
    assert.equal(answer.headers["set-cookie"], undefined);
    assert.equal(answer.body.byteLength, 0);
    assert.equal(body, "hello");
    const [request] = kit.requests;
    assert.equal(request?.headers["content-type"], "text/plain");
    assert.equal(request.headers["content-length"], "5");
    assert.equal(request.headers["user-agent"], "Kith/test");
    assert.equal(request.headers["cookie"], undefined);
    const host = new URL(kit.at("/")).host;
    assert.equal(
      request.headers["x-signed"],
      `POST ${kit.at("/inbox")} ${host}`,
    );
  });

  test("is not redirected, and what only announces an answer is none", async () => {
    kit.handler = (_req, res) =>
      res.writeHead(307, { location: kit.at("/other") }).end();
    assert.equal((await post()).status, 307);
    assert.equal(kit.requests.length, 1);
    kit.handler = (_req, res) => {
      res.writeProcessing();
      res.writeHead(202).end();
    };
    assert.equal((await post()).status, 202);
  });

  test("an answer that does not end counts, and its connection is cut", async () => {
    kit.handler = (_req, res) => {
      const pour = () => {
        while (!res.destroyed && res.write("x".repeat(65_536)));
      };
      res.on("drain", pour);
      pour();
    };
    assert.equal((await post()).status, 200);
    const cut = Promise.withResolvers<void>();
    kit.handler = (_req, res) => {
      res.on("close", () => cut.resolve());
      res.writeHead(202).write("x");
    };
    assert.equal((await post({ timeoutMs: 150 })).status, 202);
    await cut.promise;
  });

  test("silence ends at the deadline", async () => {
    const cut = Promise.withResolvers<void>();
    kit.handler = (_req, res) => void res.on("close", () => cut.resolve());
    await assertFetchRefused(post({ timeoutMs: 150 }), "timeout");
    await cut.promise;
  });

  test("the caller's signal ends all requests that it was given to, with its reason", async () => {
    const controller = new AbortController();
    let came = 0;
    kit.handler = () => {
      came += 1;
      if (came === 2) controller.abort(new Error("stop"));
    };
    const { signal } = controller;
    const outcomes = await Promise.allSettled([
      post({ signal }),
      post({ signal }),
    ]);
    for (const outcome of outcomes) {
      assert.equal(outcome.status, "rejected");
      assert.match(String(outcome.reason), /stop/);
    }
    await assert.rejects(post({ signal }), /stop/);
    assert.equal(kit.requests.length, 2);
  });

  test("the rules for addresses are the same", async () => {
    const strict = (url: string) =>
      kit.strict.request({ method: "POST", url, maxBytes: 1, headOnly: true });
    await assertFetchRefused(strict("http://public.example/inbox"), "scheme");
    await assertFetchRefused(strict("https://127.0.0.1/inbox"), "host");
    await assertFetchRefused(
      strict("https://metadata.example/inbox"),
      "address",
    );
    await assertFetchRefused(strict("https://gone.example/inbox"), "dns");
    assert.equal(kit.requests.length, 0);
  });
});
