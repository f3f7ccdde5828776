import type { Metrics } from "../../observability/metrics.ts";

/** Counts requests refused by a rate limit. */
export function countRefused(metrics: Metrics) {
  const refused = metrics.counter(
    "kith_requests_refused_total",
    "Requests above a rate limit, by the limit and its key.",
  );
  return (limit: string, by: string): void => refused.add({ limit, by });
}
