import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { afterEach, test } from "node:test";
import { promisify } from "node:util";
import { createGuardedFetch } from "../lib/http-client/guarded-fetch.ts";
import { startOtlpReceiver } from "../../../../test/support/observability/otlp-receiver.ts";
import { silentLog } from "./log.ts";
import { openTracing, type TraceProtocol } from "./open-tracing.ts";
import { traceFetch } from "./trace-fetch.ts";

const run = promisify(execFile);

afterEach(() => {
  for (const name of Object.keys(process.env))
    if (name.startsWith("OTEL_")) delete process.env[name];
});

async function tracingTo(
  protocol: TraceProtocol,
  env: Readonly<Record<string, string>> = {},
) {
  const receiver = await startOtlpReceiver();
  const endpoint = receiver.endpoint;
  Object.assign(process.env, { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, ...env });
  const log = silentLog();
  const tracing = await openTracing({ version: "1", protocol, log });
  return { receiver, tracing };
}

test("a trace has the id of its request, also in protobuf", async () => {
  const { receiver, tracing } = await tracingTo("http/protobuf");
  const requestId = randomUUID();
  tracing.begin({ name: "GET /", requestId }).end();
  await tracing.close();
  await receiver.close();
  const [sent] = receiver.exports;
  assert.equal(sent?.headers["content-type"], "application/x-protobuf");
  const traceId = Buffer.from(requestId.replaceAll("-", ""), "hex");
  assert.ok(sent.body.includes(traceId));
});

test("unsampled traces are not sent, with everything in them", async () => {
  const { receiver, tracing } = await tracingTo("http/json", {
    OTEL_TRACES_SAMPLER: "traceidratio",
    OTEL_TRACES_SAMPLER_ARG: "0",
  });
  const span = tracing.begin({ name: "GET /", requestId: randomUUID() });
  await span.within(() =>
    tracing.trace({ name: "transaction" }, async () => {
      tracing.record(() => assert.fail("named in vain"), 1);
    }),
  );
  span.end();
  await tracing.close();
  await receiver.close();
  assert.equal(receiver.exports.length, 0);
});

test("outside of a trace only the work is done", async () => {
  const { receiver, tracing } = await tracingTo("http/json");
  const value = await tracing.trace({ name: "x" }, async () => 7);
  tracing.record(() => ({ name: "select posts" }), 1);
  assert.equal(value, 7);
  await tracing.close();
  await receiver.close();
  assert.equal(receiver.exports.length, 0);
});

test("an error leaves its type in the trace, and not its message", async () => {
  const { receiver, tracing } = await tracingTo("http/json");
  const span = tracing.begin({ name: "job x" });
  await span.within(async () => {
    await assert.rejects(
      tracing.trace({ name: "transaction" }, () =>
        Promise.reject(new TypeError("a secret")),
      ),
      /a secret/,
    );
  });
  span.end();
  await tracing.close();
  await receiver.close();
  const text = JSON.stringify(receiver.spans());
  assert.match(text, /TypeError/);
  assert.ok(!text.includes("a secret"));
});

test("another server is not told of the trace of a request to it", async () => {
  const { receiver, tracing } = await tracingTo("http/json");
  const received: IncomingHttpHeaders[] = [];
  const stranger = createServer((request, response) => {
    received.push(request.headers);
    response.end("x");
  });
  stranger.listen(0, "127.0.0.1");
  await once(stranger, "listening");
  const { port } = stranger.address() as AddressInfo;
  const fetch = createGuardedFetch({
    ...{ allowPrivateNetwork: true, hosts: [], userAgent: "test" },
  });
  const traced = traceFetch(tracing, fetch);
  const span = tracing.begin({ name: "job deliver" });
  const url = `http://127.0.0.1:${port}/secret?of=me`;
  await span.within(() => traced.request({ method: "GET", url, maxBytes: 9 }));
  span.end();
  await tracing.close();
  await Promise.all([fetch.close(), receiver.close()]);
  stranger.close();
  const names = Object.keys(received[0] ?? {});
  assert.ok(names.includes("user-agent"));
  for (const name of ["traceparent", "tracestate", "baggage"])
    assert.ok(!names.includes(name), name);
  const spans = receiver.spans();
  assert.deepEqual(
    spans.map(({ name }) => name),
    ["GET", "job deliver"],
  );
  assert.ok(!JSON.stringify(spans).includes("secret"));
});

test("the packages of OpenTelemetry are not loaded unless traces are asked for", async () => {
  const compose = path.resolve(import.meta.dirname, "../compose/process.ts");
  const opening = path.resolve(import.meta.dirname, "open-tracing.ts");
  const loaded = async (file: string): Promise<number> => {
    const script = `
      const { createRequire } = await import("node:module");
      await import(${JSON.stringify(file)});
      const names = Object.keys(createRequire(${JSON.stringify(file)}).cache);
      console.log(names.filter((it) => it.includes("@opentelemetry")).length);`;
    const args = ["--input-type=module", "--eval", script];
    const { stdout } = await run(process.execPath, args);
    return Number(stdout);
  };
  assert.equal(await loaded(compose), 0);
  assert.ok((await loaded(opening)) > 10, "the check sees them");
});
