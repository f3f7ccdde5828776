import type { Gauge } from "../../observability/metrics.ts";
import type { ReplicaState } from "../db.ts";

/** How far the replica is behind, and what it answers; nothing without one. */
export function replicaGauges(state: ReplicaState | undefined): Gauge[] {
  if (!state) return [];
  const { queries, askedAgain, ageMs } = state;
  const of = (server: string, value: number) => ({ labels: { server }, value });
  return [
    {
      name: "kith_replica_queries_total",
      help: "Queries to the replica; those that failed there were answered by the primary.",
      type: "counter",
      values: [of("replica", queries), of("primary", askedAgain)],
    },
    {
      name: "kith_replica_answers_total",
      help: "Answers to strangers, by the server whose data they show; both: the primary was asked after a refusal.",
      type: "counter",
      values: [
        of("replica", state.answers),
        of("primary", state.answersWithout),
        of("both", state.answersRepeated),
      ],
    },
    {
      name: "kith_replica_age_seconds",
      help: "How old answers of the replica are at most; absent while it is not reached.",
      values: ageMs === undefined ? [] : [{ labels: {}, value: ageMs / 1000 }],
    },
  ];
}
