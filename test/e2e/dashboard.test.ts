import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { parse } from "yaml";
import { replicaGauges } from "../../packages/server/src/db/replica/replica-gauges.ts";
import { createMetrics } from "../../packages/server/src/observability/metrics.ts";
import { guidOf, startConversation } from "../support/conversation.ts";
import { eventually } from "../support/kith-process.ts";
import { readExposition, readPromql } from "../support/observability/promql.ts";
import { findFreePort } from "../../scripts/testing/free-port.ts";

const DEPLOY = path.resolve(import.meta.dirname, "../../deploy");
/** Prometheus adds these to what it scrapes. */
const OF_PROMETHEUS = ["instance", "job"];

type Panel = {
  readonly type: string;
  readonly title: string;
  readonly targets?: readonly {
    readonly expr: string;
    readonly legendFormat: string;
  }[];
};

type Rule = {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: {
    readonly summary: string;
    readonly description: string;
  };
};

describe("the dashboard and the alerts", () => {
  let exposed: ReturnType<typeof readExposition>;
  let close = async (): Promise<void> => {};

  before(async () => {
    const port = await findFreePort();
    const talk = await startConversation({
      database: "sqlite",
      protocols: "activitypub",
      settings: { KITH_METRICS_PORT: String(port), KITH_RATE_LIMITS: "1" },
    });
    close = () => talk.remove();
    const post = await talk.g1.post("/posts", { post: "x", aspectID: "0" });
    await eventually(async () => {
      await talk.g2.post(`/posts/${guidOf(post)}/comments`, { comment: "y" });
    });
    await guessUntilRefused(talk.one.baseUrl);
    exposed = await eventually(async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
      const found = readExposition((await answer.text()) + (await ofReplica()));
      for (const name of [
        "kith_deliveries_total",
        "kith_inbound_messages_total",
      ])
        assert.ok(found.labels.has(name), name);
      return found;
    });
  });

  after(() => close());

  /** Checks syntax, metrics and labels. @returns the labels that results may have */
  function check(expression: string): Set<string> {
    const { metrics, grouping } = readPromql(expression);
    assert.notEqual(metrics.length, 0, expression);
    const known = new Set(OF_PROMETHEUS);
    for (const [name, matched] of metrics) {
      const labels =
        name === "up" ? new Set<string>() : exposed.labels.get(name);
      assert.ok(labels, `${name} of ${expression} is in /metrics`);
      for (const label of labels) known.add(label);
      for (const label of matched)
        assert.ok(
          labels.has(label) || OF_PROMETHEUS.includes(label),
          `${name} has ${label}, of ${expression}`,
        );
    }
    for (const label of grouping)
      assert.ok(known.has(label), `${label} of ${expression} is a label`);
    return grouping.length > 0 ? new Set(grouping) : known;
  }

  test("each panel shows metrics and labels that exist", async () => {
    const text = await readFile(path.join(DEPLOY, "grafana/kith.json"), "utf8");
    const { panels } = JSON.parse(text) as { panels: readonly Panel[] };
    const drawn = panels.filter(({ type }) => type !== "row");
    assert.ok(drawn.length >= 15);
    for (const { title, targets = [] } of drawn) {
      assert.notEqual(targets.length, 0, title);
      for (const { expr, legendFormat } of targets) {
        const labels = check(expr);
        for (const [, label = ""] of legendFormat.matchAll(/\{\{(\w+)\}\}/g))
          assert.ok(labels.has(label), `${label} in the legend of ${title}`);
      }
    }
    const used = new Set(
      drawn.flatMap(({ targets = [] }) =>
        targets.flatMap(({ expr }) =>
          readPromql(expr).metrics.map(([name]) => name),
        ),
      ),
    );
    for (const name of exposed.types.keys())
      assert.ok(
        name === "kith_uptime_seconds" ||
          [name, `${name}_bucket`].some((one) => used.has(one)),
        `${name} is in no panel`,
      );
  });

  test("each alert asks for metrics and labels that exist", async () => {
    const file = path.join(DEPLOY, "prometheus/kith-alerts.yml");
    const { groups } = parse(await readFile(file, "utf8")) as {
      groups: readonly { readonly rules: readonly Rule[] }[];
    };
    const rules = groups.flatMap((group) => group.rules);
    assert.ok(rules.length >= 8);
    assert.equal(new Set(rules.map(({ alert }) => alert)).size, rules.length);
    for (const { expr, labels, annotations } of rules) {
      const known = check(expr);
      assert.match(labels.severity, /^(critical|warning)$/);
      const { summary, description } = annotations;
      assert.ok(description.length > 0);
      for (const [, label = ""] of summary.matchAll(/\$labels\.(\w+)/g))
        assert.ok(known.has(label), `${label} in ${summary}`);
    }
  });

  test("a fault of syntax, a metric and a label that do not exist are noticed", () => {
    assert.throws(() => check("rate(kith_jobs[5m"));
    assert.throws(() => check("kith_nothing"), /is in \/metrics/);
    assert.throws(() => check('kith_jobs{host="x"}'), /has host/);
    assert.throws(() => check("sum by (host) (kith_jobs)"), /is a label/);
  });

  test("metrics have the names and units that Prometheus recommends", () => {
    for (const [name, type] of exposed.types) {
      assert.match(name, /^(kith|process)_[a-z]+(_[a-z]+)*$/);
      assert.equal(type === "counter", name.endsWith("_total"), name);
      if (type === "histogram") assert.match(name, /_seconds$/);
      assert.doesNotMatch(name, /_(ms|milliseconds|minutes|kb|mb|percent)\b/);
      assert.doesNotMatch(name, /_(count|sum|bucket)$/);
    }
  });
});

/** The metrics of a server with a replica, which SQLite has not. */
function ofReplica(): Promise<string> {
  const metrics = createMetrics();
  metrics.gauges(() =>
    replicaGauges({
      ...{ queries: 9, askedAgain: 1, ageMs: 100 },
      ...{ answers: 3, answersWithout: 1, answersRepeated: 1 },
    }),
  );
  return metrics.render();
}

/** So that a limit has refused something. */
async function guessUntilRefused(baseUrl: string): Promise<void> {
  for (let tries = 0; tries < 40; tries += 1) {
    const answer = await fetch(`${baseUrl}/api/v0/oauth/tokens`, {
      method: "POST",
      body: new URLSearchParams({
        ...{ grant_type: "password", username: "g1" },
        ...{ password: `wrong ${tries}`, client_id: "test" },
      }),
    });
    await answer.arrayBuffer();
    if (answer.status === 429) return;
  }
  assert.fail("nothing was refused");
}
