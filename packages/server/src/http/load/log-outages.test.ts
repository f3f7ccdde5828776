import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { DatabaseAway } from "../../lib/errors.ts";
import { createLog } from "../../observability/log.ts";
import { createApp } from "../app.ts";

test("an outage of the database is logged once in some seconds, with the number of requests", async () => {
  const lines: Record<string, unknown>[] = [];
  const destination = new PassThrough();
  destination.on("data", (bytes: Buffer) => {
    for (const line of bytes.toString().trim().split("\n"))
      lines.push(JSON.parse(line) as Record<string, unknown>);
  });
  const log = createLog("info", undefined, destination);
  const app = createApp({
    ...{ log, trustedProxies: [] },
    notFound: async (_request, reply) => reply.code(404).send(),
    isShutOut: () => Promise.reject(away()),
  });
  const config = { access: "anyone", limit: "none" } as const;
  app.get("/", { config }, () => Promise.reject(away()));
  for (let n = 0; n < 4; n += 1) {
    const { statusCode, headers, body } = await app.inject("/");
    assert.equal(statusCode, 503);
    assert.match(String(headers["retry-after"]), /^\d+$/);
    assert.equal(body, '{"error":"Service unavailable"}');
  }
  await app.close();
  assert.deepEqual(
    lines.map(({ requests, error }) => ({ requests, error })),
    [
      { requests: 1, error: "ECONNREFUSED" },
      { requests: 3, error: "ECONNREFUSED" },
    ],
  );
});

/** An error of a host with several addresses has no message. */
const away = () =>
  new DatabaseAway(
    Object.assign(new AggregateError([]), { code: "ECONNREFUSED" }),
  );
