import assert from "node:assert/strict";
import { test } from "node:test";
import { createMetrics } from "./metrics.ts";
import { mergeMetrics } from "./merge-metrics.ts";

test("the metrics of two processes are one text, with a heading each", async () => {
  const texts = new Map<string, string>();
  for (const [name, count] of [
    ["1", 2],
    ["2", 5],
  ] as const) {
    const metrics = createMetrics();
    metrics.counter("kith_a_total", "How many a.").add({ b: "c} d" }, count);
    metrics.counter("kith_plain_total", "How many.").add({}, count);
    texts.set(name, await metrics.render());
  }
  assert.equal(
    mergeMetrics(texts),
    [
      "# HELP kith_a_total How many a.",
      "# TYPE kith_a_total counter",
      'kith_a_total{process="1",b="c} d"} 2',
      'kith_a_total{process="2",b="c} d"} 5',
      "# HELP kith_plain_total How many.",
      "# TYPE kith_plain_total counter",
      'kith_plain_total{process="1"} 2',
      'kith_plain_total{process="2"} 5',
      "",
    ].join("\n"),
  );
});

test("a metric that only one process has is kept", () => {
  const text = "# HELP x X.\n# TYPE x gauge\nx 1\n";
  assert.equal(
    mergeMetrics(
      new Map([
        ["1", ""],
        ["2", text],
      ]),
    ),
    '# HELP x X.\n# TYPE x gauge\nx{process="2"} 1\n',
  );
});
