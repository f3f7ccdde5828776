import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import type { FastifyInstance } from "fastify";
import { mayReadOld, withOldReads } from "../../lib/caching/old-reads.ts";
import { KithError } from "../../lib/errors.ts";
import { silentLog } from "../../observability/log.ts";
import { createApp } from "../app.ts";

describe("answers that may be old", () => {
  let app: FastifyInstance;
  let baseUrl: string;

  beforeEach(async () => {
    app = createApp({
      log: silentLog(),
      trustedProxies: [],
      notFound: async (_request, reply) => reply.code(404).send(),
      answerFromReplica: async (work, mayRepeat) => {
        try {
          return await withOldReads(work);
        } catch (error) {
          if (!mayRepeat()) throw error;
          return work();
        }
      },
    });
    const config = { access: "viewer", limit: "read" } as const;
    const old = { ...config, mayBeOld: true } as const;
    const age = async () => (mayReadOld() ? "old" : "current");
    app.get("/old", { config: old }, age);
    app.get("/current", { config }, age);
    app.post("/written", { config: { ...old, limit: "write" } }, age);
    app.get("/missing", { config: old }, async () => {
      if (mayReadOld()) throw new KithError("not_found", "Not there yet.");
      return "found";
    });
    app.get("/nowhere", { config: old }, async () => {
      throw new KithError("not_found", "Nowhere.");
    });
    baseUrl = await app.listen({ host: "127.0.0.1", port: 0 });
  });
  afterEach(() => app.close());

  const ask = async (path: string, options?: RequestInit) =>
    (await fetch(baseUrl + path, options)).text();

  test("are given to those who name nobody here, by routes that say so", async () => {
    assert.equal(await ask("/old"), "old");
    assert.equal(await ask("/current"), "current");
    assert.equal(await ask("/written", { method: "POST" }), "current");
    for (const [name, value] of [
      ["cookie", "theme=dark"],
      ["cookie", "kith_sign_in=abcdefghijklmnopqrstuvwxyz"],
      ["signature", 'keyId="https://a.example/b#main-key"'],
    ] as const)
      assert.equal(await ask("/old", { headers: { [name]: value } }), "old");
  });

  test("are not given to anybody with a session or a token", async () => {
    const secret = "abcdefghijklmnopqrstuvwxyz";
    for (const [name, value] of [
      ["cookie", `theme=dark; kith_session=${secret}`],
      ["cookie", `kith_session_3000=${secret}`],
      ["cookie", `__Host-kith_session=${secret}`],
      ["authorization", `Bearer ${secret}`],
      ["authorization", "Basic YTpi"],
      ["access_token", secret],
      ["sec-websocket-protocol", secret],
    ] as const) {
      const given = await ask("/old", { headers: { [name]: value } });
      assert.equal(given, "current", `${name}: ${value}`);
    }
    assert.equal(await ask(`/old?access_token=${secret}`), "current");
  });

  test("refuse nothing that is there now", async () => {
    assert.equal(await ask("/missing"), "found");
    const { status } = await fetch(`${baseUrl}/nowhere`);
    assert.equal(status, 404);
    const head = await fetch(`${baseUrl}/missing`, { method: "HEAD" });
    assert.equal(head.status, 200);
  });
});
