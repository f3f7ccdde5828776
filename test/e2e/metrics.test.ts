import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { TESTED_DATABASE_KINDS } from "../../packages/server/test/support/server/databases.ts";
import { guidOf, startConversation } from "../support/conversation.ts";
import { eventually } from "../support/kith-process.ts";
import { findFreePort } from "../../scripts/testing/free-port.ts";

/** The values by name and labels. @throws on a line that Prometheus would refuse */
function parseMetrics(text: string): Map<string, number> {
  const values = new Map<string, number>();
  for (const line of text.trimEnd().split("\n")) {
    if (/^# (HELP|TYPE) [a-z_]+ ./.test(line)) continue;
    const [, name = "", value = ""] =
      /^([a-z_]+(?:\{[a-z_]+="[^"]*"(?:,[a-z_]+="[^"]*")*\})?) ([0-9.e+-]+)$/.exec(
        line,
      ) ?? [];
    assert.notEqual(name, "", `not in the format: ${line}`);
    assert.ok(!values.has(name), `twice: ${name}`);
    values.set(name, Number(value));
  }
  return values;
}

describe("metrics", () => {
  for (const database of TESTED_DATABASE_KINDS)
    test(`report deliveries, messages, requests, the queue and the process (${database})`, async () => {
      const port = await findFreePort();
      const talk = await startConversation({
        database,
        protocols: "activitypub",
        settings: { KITH_METRICS_PORT: String(port) },
      });
      const read = async (): Promise<[Map<string, number>, string]> => {
        const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
        assert.equal(answer.status, 200);
        assert.match(
          answer.headers.get("content-type") ?? "",
          /^text\/plain; version=0\.0\.4/,
        );
        const text = await answer.text();
        return [parseMetrics(text), text];
      };
      try {
        const post = await talk.g1.post("/posts", { post: "x", aspectID: "0" });
        const guid = guidOf(post);
        await eventually(async () => {
          await talk.g2.post(`/posts/${guid}/comments`, { comment: "y" });
        });
        await eventually(async () => {
          const list = await talk.g1.getList(`/posts/${guid}/comments`);
          assert.equal(list.length, 1);
          const [values, text] = await read();
          const of = (name: string): number => {
            const value = values.get(name);
            assert.ok(value !== undefined, `${name} in\n${text}`);
            return value;
          };
          const delivered = `kith_deliveries_total{protocol="activitypub",result="delivered"}`;
          assert.ok(of(delivered) >= 2, "the follow and the post");
          const inbound = [...values.keys()].filter((name) =>
            name.startsWith(
              'kith_inbound_messages_total{protocol="activitypub"',
            ),
          );
          assert.notEqual(inbound.length, 0);
          const route = `method="POST",route="/api/v0/posts",status="2xx"`;
          const took = "kith_http_request_duration_seconds";
          assert.equal(of(`${took}_count{${route}}`), 1);
          assert.equal(of(`${took}_bucket{${route},le="+Inf"}`), 1);
          assert.ok(of("kith_database_query_seconds_count") > 10);
          assert.ok(of("kith_database_transaction_seconds_count") > 2);
          assert.ok(of('kith_jobs{kind="forget-inbound",state="ready"}') === 1);
          assert.ok(of('kith_jobs_oldest_seconds{kind="sweep-media"}') >= 0);
          assert.equal(of('kith_remote_hosts{state="failing"}'), 0);
          assert.ok(of('kith_event_loop_delay_seconds{quantile="0.99"}') > 0);
          assert.ok(of("process_resident_memory_bytes") > 10_000_000);
          assert.ok(of("process_cpu_seconds_total") > 0);
          for (const [, name = "", type] of text.matchAll(
            /^# TYPE (\S+) (\S+)$/gm,
          ))
            assert.equal(type === "counter", name.endsWith("_total"), name);
          for (const secret of [guid, "g1", "g2", `:${talk.two.port}`])
            assert.ok(!text.includes(secret), `${secret} is exposed to nobody`);
        });
        for (const path of ["/healthz", "/readyz"]) {
          const answer = await fetch(`http://127.0.0.1:${port}${path}`);
          assert.deepEqual([answer.status, await answer.text()], [200, "ok\n"]);
        }
        const open = await fetch(`${talk.one.baseUrl}/metrics`);
        assert.equal(open.status, 404, "not at the public address");
      } finally {
        await talk.remove();
      }
    });
});
