import type { Reader } from "../db/db.ts";
import type { Gauge, Labels } from "../observability/metrics.ts";
import { countJobs } from "./stores/queue-queries.ts";

/** How many jobs there are, how old and how late. Reads the whole queue. */
export async function countQueue(
  reader: Reader,
  now: Date,
): Promise<readonly Gauge[]> {
  const counts = await countJobs(reader);
  const ageOf = (time: string): number =>
    Math.max(0, (now.getTime() - Date.parse(time)) / 1000);
  const unfinished = counts.filter(({ state }) => state !== "dead");
  const maxByKind = (time: (of: (typeof counts)[number]) => string) => {
    const oldest = new Map<string, number>();
    for (const count of unfinished)
      oldest.set(
        count.kind,
        Math.max(oldest.get(count.kind) ?? 0, ageOf(time(count))),
      );
    return [...oldest].map(([kind, value]) => ({ labels: { kind }, value }));
  };
  return [
    {
      name: "kith_jobs",
      help: "Jobs by kind and state: ready (waiting), leased (running), dead.",
      values: counts.map(({ kind, state, count }) => ({
        labels: { kind, state } satisfies Labels,
        value: count,
      })),
    },
    {
      name: "kith_jobs_oldest_seconds",
      help: "Age of the oldest job that has not ended, by kind.",
      values: maxByKind(({ oldestAt }) => oldestAt),
    },
    {
      name: "kith_jobs_late_seconds",
      help: "How long the oldest due job has been due, by kind.",
      values: maxByKind(({ nextAt }) => nextAt),
    },
  ];
}
