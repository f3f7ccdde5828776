import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { TESTED_DATABASE_KINDS } from "../../packages/server/test/support/server/databases.ts";
import { guidOf, startConversation } from "../support/conversation.ts";
import { eventually } from "../support/kith-process.ts";
import {
  attributeOf,
  startOtlpReceiver,
  type ReceivedSpan,
} from "../support/observability/otlp-receiver.ts";

const SERVER = 2;
const CLIENT = 3;
const CONSUMER = 5;

describe("traces", () => {
  for (const database of TESTED_DATABASE_KINDS)
    test(`lead from a request over its queries to its jobs and deliveries, and name nobody (${database})`, async (t) => {
      const receiver = await startOtlpReceiver();
      t.after(() => receiver.close());
      const talk = await startConversation({
        database,
        protocols: "activitypub",
        settings: {
          OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint,
          OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
          OTEL_EXPORTER_OTLP_HEADERS: "x-api-key=of-the-collector",
          OTEL_SERVICE_NAME: "kith-test",
          OTEL_BSP_SCHEDULE_DELAY: "100",
        },
      });
      try {
        const text = "words for few";
        const post = await talk.g1.post("/posts", {
          post: text,
          aspectID: "0",
        });
        const guid = guidOf(post);
        await eventually(async () => {
          await talk.g2.post(`/posts/${guid}/comments`, { comment: "y" });
        });
        const host = `localhost:${talk.two.port}`;
        await eventually(async () => checkTraces(receiver.spans(), host));
        const [first] = receiver.exports;
        assert.equal(first?.path, "/v1/traces");
        assert.equal(first?.headers["x-api-key"], "of-the-collector");
        assert.equal(receiver.resourceAttribute("service.name"), "kith-test");
        const all = JSON.stringify(receiver.spans());
        for (const secret of [guid, "g1", "g2", text, "of-the-collector"])
          assert.ok(!all.includes(secret), `${secret} is exported`);
        assert.ok(!all.includes("127.0.0.1"), "the address of a visitor");
        assert.ok(!talk.one.output.includes("cannot be exported"));
        assert.equal(await talk.one.stop(), 0);
      } finally {
        await talk.remove();
      }
    });

  test("a collector that is away hinders nobody, and is logged", async () => {
    const receiver = await startOtlpReceiver();
    await receiver.close();
    const talk = await startConversation({
      database: "sqlite",
      protocols: "activitypub",
      settings: {
        OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint,
        OTEL_EXPORTER_OTLP_TIMEOUT: "500",
        OTEL_EXPORTER_OTLP_HEADERS: "x-api-key=of-the-collector",
        OTEL_BSP_SCHEDULE_DELAY: "100",
      },
    });
    try {
      await eventually(async () => {
        assert.match(talk.one.output, /Traces cannot be exported/);
      });
      assert.ok(!talk.one.output.includes("of-the-collector"));
      const [complaint = ""] = talk.one.output
        .split("\n")
        .filter((line) => line.includes("Traces cannot be exported"));
      assert.match(complaint, /ECONNREFUSED/);
      assert.doesNotMatch(complaint, /"(?:job|requestId)":|stack/);
      assert.equal(await talk.one.stop(), 0);
    } finally {
      await talk.remove();
    }
  });
});

function checkTraces(spans: readonly ReceivedSpan[], host: string): void {
  const request = spans.find(({ name }) => name === "POST /api/v0/posts");
  assert.ok(request, "the request");
  assert.equal(request.kind, SERVER);
  assert.equal(request.parentSpanId, undefined);
  assert.equal(attributeOf(request, "http.route"), "/api/v0/posts");
  assert.equal(attributeOf(request, "http.response.status_code"), 200);
  const childrenOf = (parent: ReceivedSpan) =>
    spans.filter(
      ({ traceId, parentSpanId }) =>
        traceId === parent.traceId && parentSpanId === parent.spanId,
    );
  const transactions = childrenOf(request).filter(
    ({ name }) => name === "transaction",
  );
  assert.ok(transactions.length > 0, "its transactions");
  const insert = transactions
    .flatMap(childrenOf)
    .find(({ name }) => name === "insert posts");
  assert.ok(insert, "the query that stores the post");
  assert.equal(attributeOf(insert, "db.collection.name"), "posts");
  const jobs = spans.filter(
    ({ kind, links }) =>
      kind === CONSUMER &&
      links?.some(
        ({ traceId, spanId }) =>
          traceId === request.traceId && spanId === request.spanId,
      ),
  );
  const deliver = jobs.find(({ name }) => name === "job deliver");
  assert.ok(
    deliver,
    ["the delivery among", ...jobs.map(({ name }) => name)].join(" "),
  );
  assert.notEqual(deliver.traceId, request.traceId);
  assert.equal(attributeOf(deliver, "kith.job.result"), "done");
  const sent = childrenOf(deliver).find(({ kind, name }) => {
    return kind === CLIENT && name === "POST";
  });
  assert.ok(sent, "the request to the other server");
  assert.equal(attributeOf(sent, "server.address"), host);
}
