import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";
import type { FastifyInstance, FastifyContextConfig } from "fastify";
import { createLimits } from "../../lib/limits/limits.ts";
import { silentLog } from "../../observability/log.ts";
import { createApp } from "../app.ts";
import { registerHealth } from "../health-routes.ts";

const notFound: Parameters<typeof createApp>[0]["notFound"] = async (
  _request,
  reply,
) => reply.code(404).send();

function appOf(options: Partial<Parameters<typeof createApp>[0]> = {}) {
  return createApp({
    log: silentLog(),
    trustedProxies: [],
    notFound,
    ...options,
  });
}

describe("a route that does not say how often it may be asked for", () => {
  const declare = (config: FastifyContextConfig) => () =>
    appOf().get("/x", { config }, async () => "x");

  test("is not started", () => {
    const undeclared = /GET\/?.* \/x does not declare how often/;
    assert.throws(declare({ access: "anyone" }), undeclared);
    const unknown = { access: "anyone", limit: "often" } as never;
    assert.throws(declare(unknown), undeclared);
    const inherited = { access: "anyone", limit: "constructor" } as never;
    assert.throws(declare(inherited), undeclared);
  });

  test("is started once it does", () => {
    assert.doesNotThrow(declare({ access: "anyone", limit: "read" }));
    assert.throws(declare({ limit: "read" }), /who may use it/);
  });
});

describe("requests", () => {
  let app: FastifyInstance;
  let nowMs: number;
  let refused: string[];
  afterEach(() => app.close());

  /** A hundred-and-fiftieth of everything: 10 to read, 2 to write, 1 of what is costly. */
  async function start(): Promise<string> {
    nowMs = 1_000_000;
    refused = [];
    app = appOf({
      trustedProxies: ["loopback"],
      limits: createLimits({
        clock: { now: () => new Date(nowMs) },
        factor: 1 / 150,
        noteRefused: (name, by) => refused.push(`${name} by ${by}`),
      }),
    });
    const anyone = { access: "anyone" } as const;
    app.get("/read", { config: { ...anyone, limit: "read" } }, () => "done");
    app.post("/write", { config: { ...anyone, limit: "write" } }, () => "done");
    app.get<{ Params: { id: string } }>(
      "/of/:id",
      { config: { access: "token", limit: "read" } },
      async (request) => {
        request.countFor(Number(request.params.id));
        request.countFor(Number(request.params.id));
        return "done";
      },
    );
    registerHealth(app, async () => undefined);
    return app.listen({ host: "127.0.0.1", port: 0 });
  }

  const ask = (url: string, from: string, method = "GET") =>
    fetch(url, { method, headers: { "x-forwarded-for": from } });
  const countServed = async (times: number, one: () => Promise<Response>) => {
    const answers = [];
    for (let n = 0; n < times; n += 1) answers.push(await one());
    return answers.filter(({ status }) => status !== 429).length;
  };

  test("above the limit are answered 429 until the window ends, in each class", async () => {
    const base = await start();
    const read = () => ask(`${base}/read`, "192.0.2.1");
    assert.equal(await countServed(12, read), 10);
    const answer = await read();
    assert.equal(answer.status, 429);
    assert.equal(answer.headers.get("retry-after"), "60");
    assert.deepEqual(await answer.json(), { error: "Too many requests" });
    const write = () => ask(`${base}/write`, "192.0.2.1", "POST");
    assert.equal(await countServed(7, write), 2);
    nowMs += 59_999;
    assert.equal((await read()).status, 429);
    nowMs += 1;
    assert.equal((await read()).status, 200);
    assert.deepEqual(
      new Set(refused),
      new Set([`read by address`, `write by address`]),
    );
  });

  test("of other addresses go on, and those of one IPv6 subscriber count together", async () => {
    const base = await start();
    const from = (address: string) => () => ask(`${base}/read`, address);
    assert.equal(await countServed(11, from("192.0.2.1")), 10);
    assert.equal(await countServed(11, from("192.0.2.2")), 10);
    let host = 0;
    const next = () => from(`2001:db8:0:1::${(host += 1)}`)();
    assert.equal(await countServed(12, next), 10);
    assert.equal((await from("2001:db8:0:2::1")()).status, 200);
  });

  test("that nothing serves are limited, those of supervisors never", async () => {
    const base = await start();
    const lost = () => ask(`${base}/nowhere`, "192.0.2.1");
    assert.equal(await countServed(12, lost), 10);
    const probe = () => ask(`${base}/healthz`, "192.0.2.1");
    assert.equal(await countServed(30, probe), 30);
  });

  test("of an account count for it alone, and what others of its address do keeps nobody out", async () => {
    const base = await start();
    const home = "192.0.2.7";
    const of = (id: number) =>
      fetch(`${base}/of/${id}`, {
        headers: { "x-forwarded-for": home, access_token: "of an account" },
      });
    assert.equal(await countServed(11, () => ask(`${base}/read`, home)), 10);
    for (const id of [1, 2, 3])
      assert.equal(await countServed(12, () => of(id)), 10, `account ${id}`);
    assert.deepEqual(
      new Set(refused),
      new Set(["read by address", "read by account"]),
    );
  });

  test("that claim an account and prove none are limited as well", async () => {
    const base = await start();
    const claim = () =>
      fetch(`${base}/read`, {
        headers: { "x-forwarded-for": "192.0.2.8", cookie: "session=made-up" },
      });
    assert.equal(await countServed(12, claim), 10);
  });

  test("of one account count together, from wherever they come", async () => {
    const base = await start();
    let host = 0;
    const of = (id: number) => () =>
      ask(`${base}/of/${id}`, `10.0.0.${(host += 1)}`);
    assert.equal(await countServed(12, of(1)), 10);
    assert.equal((await of(2)()).status, 200);
    assert.deepEqual(new Set(refused), new Set(["read by account"]));
  });
});

describe("the address of a client", () => {
  let app: FastifyInstance;
  afterEach(() => app.close());

  async function start(trustedProxies: string[]) {
    app = appOf({ trustedProxies });
    app.get(
      "/",
      { config: { access: "anyone", limit: "none" } },
      async ({ ip, network }) => ({ ip, network }),
    );
    const base = await app.listen({ host: "127.0.0.1", port: 0 });
    return async (forwarded?: string) => {
      const headers = forwarded ? { "x-forwarded-for": forwarded } : {};
      const answer = await fetch(base, { headers });
      return (await answer.json()) as { ip: string; network: string };
    };
  }

  const HERE = { ip: "127.0.0.1", network: "127.0.0.1" };

  test("is that of the peer, whatever a peer that is not trusted says", async () => {
    for (const trusted of [[], ["10.0.0.0/8"], ["::1"]]) {
      const ask = await start(trusted);
      for (const said of ["192.0.2.1", "10.0.0.1", "127.0.0.1", "::1", "x,,"])
        assert.deepEqual(await ask(said), HERE, `${trusted.join()}: ${said}`);
      await app.close();
    }
  });

  test("is the last that no trusted proxy has, however many hops there are", async () => {
    const ask = await start(["loopback", "10.0.0.0/8", "2001:db8:ffff::/48"]);
    const cases = [
      ["192.0.2.1", "192.0.2.1"],
      ["192.0.2.1, 10.0.0.1", "192.0.2.1"],
      ["192.0.2.1,10.0.0.1,10.0.0.2", "192.0.2.1"],
      // Whatever the client itself said comes before what a proxy has seen.
      ["127.0.0.1, 192.0.2.66, 192.0.2.1, 10.0.0.1", "192.0.2.1"],
      ["garbage, 192.0.2.1, 10.0.0.1", "192.0.2.1"],
      ["192.0.2.1, 2001:db8:ffff::7", "192.0.2.1"],
      ["2001:db8:1:2::3, 10.0.0.1", "2001:db8:1:2::/64"],
      ["::ffff:192.0.2.1, ::ffff:10.0.0.1", "192.0.2.1"],
      // All of them are trusted: the farthest one asked.
      ["10.0.0.3, 10.0.0.1", "10.0.0.3"],
    ] as const;
    for (const [said, expected] of cases)
      assert.equal((await ask(said)).network, expected, said);
    assert.deepEqual(await ask(), HERE);
  });

  test("is read with a port, and is the proxy's where it says none", async () => {
    const ask = await start(["loopback"]);
    const cases = [
      ["192.0.2.1:50123", "192.0.2.1"],
      ["[2001:db8:1:2::3]:443", "2001:db8:1:2::/64"],
      ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ] as const;
    for (const [said, expected] of cases)
      assert.equal((await ask(said)).network, expected, said);
    for (const said of ["unknown", "_hidden", "192.0.2.300", "'; --", ","])
      assert.equal((await ask(said)).network, "127.0.0.1", said);
  });
});
