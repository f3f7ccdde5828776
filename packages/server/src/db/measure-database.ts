import type { Metrics } from "../observability/metrics.ts";
import type { Db } from "./db.ts";

const BUCKETS = [0.0005, 0.002, 0.01, 0.05, 0.2, 1, 5];

/** Measures queries, and transactions from the call to the commit. */
export function measureDatabase(metrics: Metrics) {
  const queries = metrics.histogram(
    "kith_database_query_seconds",
    "Time of one query.",
    BUCKETS,
  );
  const transactions = metrics.histogram(
    "kith_database_transaction_seconds",
    "Time of one transaction until it is durable, with its wait for others.",
    BUCKETS,
  );
  return {
    onQuery: (ms: number) => queries.observe({}, ms / 1000),
    wrap: (db: Db): Db => ({
      ...db,
      transaction: async (work) => {
        const startedAtMs = performance.now();
        try {
          return await db.transaction(work);
        } finally {
          transactions.observe({}, (performance.now() - startedAtMs) / 1000);
        }
      },
    }),
  };
}
