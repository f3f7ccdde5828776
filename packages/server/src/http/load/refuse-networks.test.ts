import assert from "node:assert/strict";
import { test } from "node:test";
import { silentLog } from "../../observability/log.ts";
import { createApp } from "../app.ts";
import { registerHealth } from "../health-routes.ts";

test("a health check does not wait for the bans, and is refused to no network", async () => {
  for (const isShutOut of [() => new Promise<boolean>(() => {}), () => true]) {
    const app = createApp({
      log: silentLog(),
      trustedProxies: [],
      isShutOut,
      notFound: async (_request, reply) => reply.code(404).send(),
    });
    registerHealth(app, async () => "the database does not answer");
    const [alive, ready] = await Promise.all([
      app.inject("/healthz"),
      app.inject("/readyz"),
    ]);
    assert.equal(alive.statusCode, 200);
    assert.equal(ready.statusCode, 503);
    await app.close();
  }
});
