import type { Gauge } from "../../observability/metrics.ts";
import type { Db } from "../db.ts";

/** How far the replica is behind, and what it answers; nothing without one. */
export function replicaGauges({ replica }: Pick<Db, "replica">): Gauge[] {
  if (!replica) return [];
  const { byReplica, byPrimary, ageMs } = replica.state();
  const of = (server: string, value: number) => ({ labels: { server }, value });
  return [
    {
      name: "kith_replica_queries_total",
      help: "Queries whose answers may be some seconds old, by the server that answered.",
      type: "counter",
      values: [of("replica", byReplica), of("primary", byPrimary)],
    },
    {
      name: "kith_replica_age_seconds",
      help: "How old answers of the replica are at most; absent while it is not reached.",
      values: ageMs === undefined ? [] : [{ labels: {}, value: ageMs / 1000 }],
    },
  ];
}
