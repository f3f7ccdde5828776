import type { Metrics } from "../observability/metrics.ts";
import type { Tracing } from "../observability/tracing.ts";
import type { Db, OnQuery } from "./db.ts";

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
    wrap: (db: Db): Db => {
      const measure = async <T>(run: () => Promise<T>): Promise<T> => {
        const startedAtMs = performance.now();
        try {
          return await run();
        } finally {
          transactions.observe({}, (performance.now() - startedAtMs) / 1000);
        }
      };
      return {
        ...db,
        transaction: (work) => measure(() => db.transaction(work)),
        together: (keys, work) => measure(() => db.together(keys, work)),
      };
    },
  };
}

/** Traces transactions and queries; never the values of a query. */
export function traceDatabase(tracing: Pick<Tracing, "record" | "trace">) {
  const onQuery: OnQuery = (ms, sql) =>
    tracing.record(() => {
      const { operation, table } = summarizeQuery(sql);
      return {
        name: table === undefined ? operation : `${operation} ${table}`,
        kind: "client",
        attributes: {
          "db.operation.name": operation,
          ...(table !== undefined && { "db.collection.name": table }),
        },
      };
    }, ms);
  return {
    onQuery,
    wrap: (db: Db): Db => ({
      ...db,
      transaction: (work) =>
        tracing.trace({ name: "transaction" }, () => db.transaction(work)),
      together: (keys, work) =>
        tracing.trace({ name: "transaction" }, () => db.together(keys, work)),
    }),
  };
}

/** The first verb of a statement, and the table it concerns first. */
export function summarizeQuery(sql: string): {
  readonly operation: string;
  readonly table: string | undefined;
} {
  const [verb = "query"] =
    /\b(?:select|insert|update|delete|begin|commit|rollback|savepoint|set)\b/i.exec(
      sql,
    ) ?? [];
  const [, table] =
    /\b(?:from|into|update)\s+"?([a-z][a-z0-9_]{0,62})\b/i.exec(sql) ?? [];
  return { operation: verb.toLowerCase(), table };
}
