import assert from "node:assert/strict";
import { test } from "node:test";
import { createMetrics } from "./metrics.ts";

test("counters, histograms and gauges are written in the format of Prometheus", async () => {
  const metrics = createMetrics();
  const sent = metrics.counter("sent_total", "What went out.");
  sent.add({ result: "done" });
  sent.add({ result: "done" }, 2);
  sent.add({ result: 'a "b"\\\n' });
  const took = metrics.histogram("took_seconds", "How long.", [0.1, 1]);
  for (const value of [0.05, 0.1, 0.5, 7]) took.observe({ of: "x" }, value);
  metrics.gauges(() => [
    { name: "depth", help: "Now.", values: [{ labels: {}, value: 3 }] },
  ]);
  assert.equal(
    await metrics.render(),
    [
      "# HELP sent_total What went out.",
      "# TYPE sent_total counter",
      'sent_total{result="done"} 3',
      'sent_total{result="a \\"b\\"\\\\\\n"} 1',
      "# HELP took_seconds How long.",
      "# TYPE took_seconds histogram",
      'took_seconds_bucket{of="x",le="0.1"} 2',
      'took_seconds_bucket{of="x",le="1"} 3',
      'took_seconds_bucket{of="x",le="+Inf"} 4',
      'took_seconds_sum{of="x"} 7.65',
      'took_seconds_count{of="x"} 4',
      "# HELP depth Now.",
      "# TYPE depth gauge",
      "depth 3",
      "",
    ].join("\n"),
  );
});

test("labels without a bound do not fill the memory", async () => {
  const metrics = createMetrics();
  const counter = metrics.counter("asked_total", "Asked.");
  for (let number = 0; number < 5_000; number += 1)
    counter.add({ of: `path ${number}` });
  const lines = (await metrics.render()).trim().split("\n");
  assert.ok(lines.length < 1_100, String(lines.length));
  assert.ok(lines.includes('asked_total{of="other"} 4000'));
});

test("a collector that fails leaves out its own values, and nothing else", async () => {
  const metrics = createMetrics();
  metrics.counter("sent_total", "Sent.").add({});
  metrics.gauges(() => Promise.reject(new Error("the database is away")));
  assert.match(await metrics.render(), /^sent_total 1$/m);
});
