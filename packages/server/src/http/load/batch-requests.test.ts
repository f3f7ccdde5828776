import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import type { FastifyInstance } from "fastify";
import { logContext } from "../../observability/log-context.ts";
import { silentLog } from "../../observability/log.ts";
import { createApp } from "../app.ts";

const COUNT = 8;

describe("requests that come at once", () => {
  let app: FastifyInstance;
  let steps: string[];

  beforeEach(() => {
    steps = [];
    app = createApp({
      log: silentLog(),
      trustedProxies: [],
      notFound: async (_request, reply) => reply.code(404).send(),
    });
    const config = { access: "anyone", limit: "none" } as const;
    app.post("/steps", { config }, async ({ id }) => {
      for (const step of ["first", "second"]) {
        steps.push(step);
        await Promise.resolve();
      }
      return { id, known: logContext() };
    });
    app.post("/fails", { config }, async () => {
      throw new Error("Always");
    });
  });
  afterEach(() => app.close());

  const send = (url: string) => app.inject({ method: "POST", url });
  const sendAll = () =>
    Promise.all(Array.from({ length: COUNT }, () => send("/steps")));

  test("go step by step together", async () => {
    await sendAll();
    assert.deepEqual(steps, [
      ...Array.from({ length: COUNT }, () => "first"),
      ...Array.from({ length: COUNT }, () => "second"),
    ]);
  });

  test("each keep what is logged of them", async () => {
    const answers = await sendAll();
    const ids = answers.map((answer) => {
      const { id, known } = answer.json<{ id: string; known: unknown }>();
      assert.deepEqual(known, { requestId: id });
      return id;
    });
    assert.equal(new Set(ids).size, COUNT);
  });

  test("do not fail with one that fails, and later ones go on", async () => {
    const [failed, ...others] = await Promise.all([
      send("/fails"),
      send("/steps"),
      send("/missing"),
    ]);
    assert.equal(failed.statusCode, 500);
    assert.deepEqual(
      others.map(({ statusCode }) => statusCode),
      [200, 404],
    );
    assert.equal((await send("/steps")).statusCode, 200);
  });
});
