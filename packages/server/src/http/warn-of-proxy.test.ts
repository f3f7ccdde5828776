import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { afterEach, describe, test } from "node:test";
import type { FastifyInstance } from "fastify";
import { createLog } from "../observability/log.ts";
import { createApp } from "./app.ts";

describe("a proxy in front", () => {
  let app: FastifyInstance;
  afterEach(() => app.close());

  /** What is logged while three requests come, of which the first two are forwarded. */
  async function linesWith(trustedProxies: string[]): Promise<string[]> {
    const lines: string[] = [];
    const destination = new PassThrough();
    destination.on("data", (line: Buffer) => lines.push(String(line)));
    app = createApp({
      log: createLog("warn", undefined, destination),
      trustedProxies,
      notFound: async (_request, reply) => reply.code(404).send(),
    });
    const base = await app.listen({ host: "127.0.0.1", port: 0 });
    const forwarded = { "x-forwarded-for": "192.0.2.1" };
    for (const headers of [forwarded, forwarded, {}])
      await (await fetch(base, { headers })).arrayBuffer();
    return lines;
  }

  test("that is not trusted is said to the operator, once", async () => {
    const lines = await linesWith([]);
    assert.equal(lines.length, 1);
    assert.match(lines[0] ?? "", /KITH_TRUSTED_PROXIES/);
    assert.match(lines[0] ?? "", /"peer":"127\.0\.0\.1"/);
  });

  test("that is trusted is nothing to speak of", async () => {
    assert.deepEqual(await linesWith(["loopback"]), []);
  });
});
