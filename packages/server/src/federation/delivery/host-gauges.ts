import type { Reader } from "../../db/db.ts";
import type { Gauge } from "../../observability/metrics.ts";
import { countHosts } from "./host-queries.ts";

/** How many other servers cannot be delivered to. */
export async function countFailingHosts(
  reader: Reader,
  now: Date,
): Promise<readonly Gauge[]> {
  const hosts = await countHosts(reader, now);
  return [
    {
      name: "kith_remote_hosts",
      help: "Servers with failing deliveries, by duration.",
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
