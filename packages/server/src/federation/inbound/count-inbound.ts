import type { Metrics } from "../../observability/metrics.ts";

/** Counts messages from other servers by their outcome. */
export function countInbound(metrics: Metrics) {
  const messages = metrics.counter(
    "kith_inbound_messages_total",
    "Messages from other servers, by outcome.",
  );
  return (protocol: string, outcome: string): void => {
    messages.add({ protocol, outcome: outcomeClass(outcome) });
  };
}

/** An outcome may quote what another server sent, which has no bound. The label is its beginning. */
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
