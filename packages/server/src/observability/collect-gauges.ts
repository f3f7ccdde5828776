import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Gauge, Metrics } from "./metrics.ts";

/** Counting reads whole tables, so it happens once in this time for any number of scrapes. */
const CACHED_MS = 5_000;

/**
 * Registers the gauges of the process, and those counted in the database.
 * @param countInDatabase rejects where the database cannot be reached; its gauges are left out then
 */
export function collectGauges(
  metrics: Metrics,
  countInDatabase: () => Promise<readonly Gauge[]>,
): void {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  metrics.gauges(() => {
    const gauges = [...processGauges(), delayGauge(delay)];
    delay.reset();
    return gauges;
  });
  let counted: Promise<readonly Gauge[]> | undefined;
  let countedAtMs = 0;
  metrics.gauges(() => {
    const nowMs = performance.now();
    if (counted && nowMs - countedAtMs < CACHED_MS) return counted;
    countedAtMs = nowMs;
    return (counted = countInDatabase());
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
    help: "Event loop delay since the last scrape.",
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
    one("kith_heap_used_bytes", "Memory of the JavaScript heap.", heapUsed),
    one("kith_external_memory_bytes", "Memory of buffers.", external),
    {
      ...one(
        "process_cpu_seconds_total",
        "CPU time of the process.",
        (user + system) / 1e6,
      ),
      type: "counter",
    },
    one(
      "process_start_time_seconds",
      "Start of the process, since the epoch.",
      performance.timeOrigin / 1000,
    ),
    one(
      "kith_uptime_seconds",
      "Time since the start of the process.",
      process.uptime(),
    ),
  ];
}

function one(name: string, help: string, value: number): Gauge {
  return { name, help, values: [{ labels: {}, value }] };
}
