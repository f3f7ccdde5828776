import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { assertFetchRefused, useTestServer } from "./guarded-fetch.fixture.ts";
import { FetchRefused } from "./fetch-refused.ts";

const kit = useTestServer();

describe("addresses that an open server may fetch", () => {
  for (const host of ["localhost", "127.0.0.1", "kith", "other.localhost"]) {
    test(`http to ${host}`, async () => {
      const answer = await kit.get(kit.at("/a?b=c#d", host));
      assert.equal(answer.status, 200);
      assert.equal(Buffer.from(answer.body).toString(), "hello");
      assert.equal(answer.url, kit.at("/a?b=c", host));
      assert.equal(kit.requests[0]?.url, "/a?b=c");
      assert.equal(kit.requests[0]?.headers["user-agent"], "Kith/test");
      assert.equal(
        kit.requests[0]?.headers.host,
        `${host}:${String(kit.port)}`,
      );
    });
  }

  test("a name with dots that leads to loopback", async () => {
    assert.equal((await kit.get(kit.at("/", "pod.example"))).status, 200);
  });

  test("http never to a public address, nor a public literal", async () => {
    await assertFetchRefused(kit.get(kit.at("/", "public.example")), "address");
    await assertFetchRefused(kit.get(kit.at("/", "9.9.9.9")), "host");
  });

  test("no link-local address, which gives away credentials", async () => {
    await assertFetchRefused(
      kit.get(kit.at("/", "metadata.example")),
      "address",
    );
    await assertFetchRefused(
      kit.get("http://169.254.169.254/latest/meta-data"),
      "host",
    );
    await assertFetchRefused(kit.get("http://0.0.0.0:3000/"), "host");
    await assertFetchRefused(kit.get("http://[::]:3000/"), "host");
    await assertFetchRefused(kit.get("ftp://localhost/"), "scheme");
    await assertFetchRefused(kit.get("http://a:b@localhost/"), "userinfo");
  });
});

describe("requests", () => {
  test("send a body and keep the connection", async () => {
    kit.handler = (req, res) => req.pipe(res);
    const before = kit.connections;
    const two = new TextEncoder().encode("two");
    for (const body of ["one", two, "three", "four", "five", "six"]) {
      const answer = await kit.open.request({
        method: "POST",
        url: kit.at("/inbox", "keep.localhost"),
        headers: { "Content-Type": "text/plain", Cookie: "a=b", Host: "evil" },
        body,
        maxBytes: 10,
      });
      assert.deepEqual(Buffer.from(answer.body), Buffer.from(body));
    }
    // The second request may come before the first connection is free.
    assert.ok(kit.connections - before <= 2);
    assert.equal(kit.requests[1]?.headers["content-type"], "text/plain");
    assert.equal(kit.requests[1]?.headers.cookie, undefined);
    assert.match(String(kit.requests[1]?.headers.host), /^keep\.localhost:/);
  });

  test("drop cookies and join repeated headers", async () => {
    kit.handler = (_req, res) => {
      res.setHeader("set-cookie", ["a=b"]);
      res.setHeader("Link", ["<a>", "<b>"]);
      res.end();
    };
    const { headers } = await kit.get(kit.at("/"));
    assert.equal(headers["set-cookie"], undefined);
    assert.equal(headers["link"], "<a>, <b>");
  });

  test("read only 2xx bodies where the caller wants that", async () => {
    kit.handler = (_req, res) => res.writeHead(404).end("x".repeat(5000));
    const answer = await kit.get(kit.at("/"), { accept2xxOnly: true });
    assert.equal(answer.status, 404);
    assert.equal(answer.body.byteLength, 0);
    await assertFetchRefused(kit.get(kit.at("/")), "too_large");
  });

  test("end with the caller's signal", async () => {
    kit.handler = () => undefined;
    const abort = new AbortController();
    const reason = new Error("shutting down");
    const work = kit.get(kit.at("/"), { signal: abort.signal });
    abort.abort(reason);
    await assert.rejects(work, reason);
    await assert.rejects(
      kit.get(kit.at("/"), { signal: abort.signal }),
      reason,
    );
  });

  test("report names that do not resolve and closed ports", async () => {
    await assertFetchRefused(kit.get("https://gone.example/"), "dns");
    await assertFetchRefused(kit.get("http://localhost:1/"), "network");
  });

  test("name the host if nothing there can be reached", async () => {
    const unreachable = async (url: string) => {
      const error: unknown = await kit
        .get(url)
        .catch((error: unknown) => error);
      assert.ok(error instanceof FetchRefused, String(error));
      return error.unreachableHost;
    };
    assert.equal(await unreachable("https://gone.example/"), "gone.example");
    assert.equal(await unreachable("http://localhost:1/"), "localhost:1");
    kit.handler = (request) => void request.socket.destroy();
    assert.equal(await unreachable(kit.at("/reset")), undefined);
    const away = { location: "http://localhost:1/" };
    kit.handler = (_request, response) =>
      void response.writeHead(302, away).end();
    assert.equal(await unreachable(kit.at("/away")), "localhost:1");
  });
});

describe("https first, then http", () => {
  const httpsUrl = (host: string) => `https://${host}:${String(kit.port)}/wf`;

  test("asks a host that speaks http alone for https once, until http fails", async () => {
    const before = kit.connections;
    const host = "plain.example";
    for (let n = 0; n < 3; n++) {
      const answer = await kit.get(httpsUrl(host), { httpFallback: true });
      assert.match(answer.url, /^http:/);
    }
    // Three attempts to speak https, and one connection that answered, would be four.
    assert.ok(kit.connections - before < 4, String(kit.connections - before));
    kit.handler = (req) => req.socket.destroy();
    const r = { httpFallback: true } as const;
    await assertFetchRefused(kit.get(httpsUrl(host), r), "network");
    kit.handler = (_req, res) => res.end("back");
    assert.equal((await kit.get(httpsUrl(host), r)).url, kit.at("/wf", host));
  });

  test("falls back where https cannot be spoken", async () => {
    const answer = await kit.get(httpsUrl("localhost"), { httpFallback: true });
    assert.equal(answer.url, kit.at("/wf"));
    await assertFetchRefused(kit.get(httpsUrl("localhost")), "network");
  });

  test("never on a strict server, never to a public host", async () => {
    const before = kit.connections;
    const r = { method: "GET", maxBytes: 9, httpFallback: true } as const;
    const url = httpsUrl("pod.example");
    await assertFetchRefused(kit.strict.request({ ...r, url }), "address");
    assert.equal(kit.connections, before);
  });
});

test("a strict server reaches nothing at home", async () => {
  const before = kit.connections;
  const r = { method: "GET", maxBytes: 9 } as const;
  await assertFetchRefused(
    kit.strict.request({ ...r, url: kit.at("/") }),
    "scheme",
  );
  for (const host of ["pod.example", "metadata.example"]) {
    const url = `https://${host}:${String(kit.port)}/`;
    await assertFetchRefused(kit.strict.request({ ...r, url }), "address");
  }
  assert.equal(kit.connections, before);
});
