import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Db } from "../db/db.ts";
import { countHosts } from "../federation/delivery/host-queries.ts";
import type { JobHandler, JobResult } from "../jobs/job.ts";
import { countJobs } from "../jobs/stores/queue-queries.ts";
import type { Clock } from "../lib/time/clock.ts";
import type { Gauge, Labels, Metrics } from "./metrics.ts";

const DATABASE_BUCKETS = [0.0005, 0.002, 0.01, 0.05, 0.2, 1, 5];
/** However many read the metrics: counting looks at the whole queue. */
const COUNTED_EVERY_MS = 5_000;

/** Measures how long the database takes: each query, and each transaction from the wish to the disk. */
export function measureDatabase(metrics: Metrics) {
  const queries = metrics.histogram(
    "kith_database_query_seconds",
    "Time of one query.",
    DATABASE_BUCKETS,
  );
  const transactions = metrics.histogram(
    "kith_database_transaction_seconds",
    "Time of one transaction, with its wait for others, until it is durable.",
    DATABASE_BUCKETS,
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

/** Counts what came of deliveries. @returns the handler, counted */
export function countDeliveries<Payload extends { readonly protocol: string }>(
  metrics: Metrics,
  handler: JobHandler<Payload>,
): JobHandler<Payload> {
  const deliveries = metrics.counter(
    "kith_deliveries_total",
    "Attempts to deliver to other servers, by what came of them.",
  );
  return async (payload, context) => {
    const count = (result: string): void =>
      deliveries.add({ protocol: payload.protocol, result });
    try {
      const result = await handler(payload, context);
      count(
        result.kind === "retry" && context.signal.aborted
          ? "interrupted"
          : RESULTS[result.kind],
      );
      return result;
    } catch (error) {
      count("failed");
      throw error;
    }
  };
}

const RESULTS: Readonly<Record<JobResult["kind"], string>> = {
  done: "delivered",
  again: "delivered",
  retry: "put_off",
  give_up: "given_up",
};

/** Counts what came of messages from other servers. */
export function countInbound(metrics: Metrics) {
  const messages = metrics.counter(
    "kith_inbound_messages_total",
    "Messages from other servers, by what came of them.",
  );
  return (protocol: string, outcome: string): void => {
    messages.add({ protocol, outcome: outcomeClass(outcome) });
  };
}

/** Outcomes name what others sent, which has no bound: this is said of them, by how they begin. */
const OUTCOME_CLASSES = [
  "stored",
  "repeated",
  "done at once",
  "dropped",
  "ignored",
  "refused",
  "unreadable",
  "undecryptable",
] as const;

function outcomeClass(outcome: string): string {
  return (
    OUTCOME_CLASSES.find((name) => outcome.startsWith(name)) ?? "processed"
  );
}

/** Counts what was refused because somebody asked too often. */
export function countRefused(metrics: Metrics) {
  const refused = metrics.counter(
    "kith_requests_refused_total",
    "Requests above a limit, by the limit and by what it counts.",
  );
  return (limit: string, by: string): void => refused.add({ limit, by });
}

/** What is told anew each time that somebody reads. */
export function collectGauges(
  metrics: Metrics,
  { db, clock }: { readonly db: Db; readonly clock: Clock },
): void {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  metrics.gauges(() => {
    const gauges = [...processGauges(), delayGauge(delay)];
    delay.reset();
    return gauges;
  });
  let kept: Promise<readonly Gauge[]> | undefined;
  let keptAtMs = 0;
  metrics.gauges(() => {
    const nowMs = performance.now();
    if (kept && nowMs - keptAtMs < COUNTED_EVERY_MS) return kept;
    keptAtMs = nowMs;
    return (kept = countInDatabase(db, clock.now()));
  });
}

type Delay = ReturnType<typeof monitorEventLoopDelay>;

function delayGauge(delay: Delay): Gauge {
  const of = (quantile: string, nanoseconds: number) => ({
    labels: { quantile },
    value: Number.isFinite(nanoseconds) ? nanoseconds / 1e9 : 0,
  });
  return {
    name: "kith_event_loop_delay_seconds",
    help: "How late the event loop was since the last reading.",
    values: [
      of("0.5", delay.percentile(50)),
      of("0.99", delay.percentile(99)),
      of("1", delay.max),
    ],
  };
}

function processGauges(): Gauge[] {
  const { rss, heapUsed, external } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  return [
    one("process_resident_memory_bytes", "Memory of the process.", rss),
    one("kith_heap_used_bytes", "Memory that JavaScript holds.", heapUsed),
    one("kith_external_memory_bytes", "Memory of buffers.", external),
    {
      ...one(
        "process_cpu_seconds_total",
        "Processor time of the process so far.",
        (user + system) / 1e6,
      ),
      type: "counter",
    },
    one("kith_uptime_seconds", "Since the start.", process.uptime()),
  ];
}

function one(name: string, help: string, value: number): Gauge {
  return { name, help, values: [{ labels: {}, value }] };
}

async function countInDatabase(db: Db, now: Date): Promise<readonly Gauge[]> {
  const counts = await countJobs(db.read);
  const hosts = await countHosts(db.read, now);
  const ageOf = (time: string): number =>
    Math.max(0, (now.getTime() - Date.parse(time)) / 1000);
  const living = counts.filter(({ state }) => state !== "dead");
  const byKind = (time: (of: (typeof counts)[number]) => string) => {
    const oldest = new Map<string, number>();
    for (const count of living)
      oldest.set(
        count.kind,
        Math.max(oldest.get(count.kind) ?? 0, ageOf(time(count))),
      );
    return [...oldest].map(([kind, value]) => ({ labels: { kind }, value }));
  };
  return [
    {
      name: "kith_jobs",
      help: "Jobs by kind and state: ready, leased (running), dead (given up).",
      values: counts.map(({ kind, state, count }) => ({
        labels: { kind, state } satisfies Labels,
        value: count,
      })),
    },
    {
      name: "kith_jobs_oldest_seconds",
      help: "Age of the oldest job that has not ended, by kind.",
      values: byKind(({ oldestAt }) => oldestAt),
    },
    {
      name: "kith_jobs_late_seconds",
      help: "For how long the first job has been due that has not ended, by kind.",
      values: byKind(({ nextAt }) => nextAt),
    },
    {
      name: "kith_remote_hosts",
      help: "Servers that we cannot deliver to, by for how long.",
      values: [
        { labels: { state: "failing" }, value: hosts.failing },
        {
          labels: { state: "failing_for_hours" },
          value: hosts.failingForHours,
        },
        { labels: { state: "failing_for_days" }, value: hosts.failingForDays },
      ],
    },
  ];
}
