import assert from "node:assert/strict";
import { parser } from "@prometheus-io/lezer-promql";

/** Names in an expression of Prometheus. */
export type PromqlNames = {
  /** Each metric with the labels that are matched on it. */
  readonly metrics: readonly (readonly [string, readonly string[]])[];
  /** The labels by which results are grouped or joined. */
  readonly grouping: readonly string[];
};

/** Reads an expression with the parser of Prometheus' own web page. @throws on a fault of syntax */
export function readPromql(expression: string): PromqlNames {
  // Grafana fills in its variable.
  const text = expression.replaceAll("$__rate_interval", "5m");
  const textOf = (node: { from: number; to: number }) =>
    text.slice(node.from, node.to);
  const metrics: [string, readonly string[]][] = [];
  const grouping: string[] = [];
  parser.parse(text).iterate({
    enter: ({ type, node }) => {
      const at = `${text} at ${node.from}: ${textOf(node)}`;
      assert.ok(!type.isError, at);
      if (type.name === "VectorSelector") {
        const name = node.getChild("Identifier");
        assert.ok(name, `a metric by its name in ${at}`);
        const matchers =
          node.getChild("LabelMatchers")?.getChildren("UnquotedLabelMatcher") ??
          [];
        const labels = matchers.map((one) => one.getChild("LabelName"));
        metrics.push([
          textOf(name),
          labels.flatMap((one) => (one ? [textOf(one)] : [])),
        ]);
      }
      if (type.name === "GroupingLabels")
        grouping.push(...node.getChildren("LabelName").map(textOf));
    },
  });
  return { metrics, grouping };
}

/** The labels of each sample in an answer of /metrics, and the type of each metric. */
export function readExposition(text: string) {
  const labels = new Map<string, Set<string>>();
  for (const line of text.trimEnd().split("\n")) {
    const [, name, list = ""] =
      /^([a-z_]+)(?:\{(.*)\})? [0-9.e+-]+$/.exec(line) ?? [];
    if (name === undefined) continue;
    const known = labels.get(name) ?? new Set<string>();
    for (const [, label = ""] of list.matchAll(/([a-z_]+)="/g))
      known.add(label);
    labels.set(name, known);
  }
  const types = new Map<string, string>();
  for (const [, name = "", type = ""] of text.matchAll(
    /^# TYPE (\S+) (\S+)$/gm,
  ))
    types.set(name, type);
  return { labels, types };
}
