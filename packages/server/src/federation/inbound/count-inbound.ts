import type { Metrics } from "../../observability/metrics.ts";

/** Outcomes that a message has when it arrives. */
const RECEIVED = new Set(["stored", "done at once"]);
const REFUSED = new Set(["refused", "unreadable", "undecryptable"]);

/**
 * Counts messages from other servers by their outcome.
 * @param count is called for each that arrives, and for each that is refused afterwards
 */
export function countInbound(
  metrics: Metrics,
  count: (series: "messages" | "refused_messages") => void,
) {
  const messages = metrics.counter(
    "kith_inbound_messages_total",
    "Messages from other servers, by outcome.",
  );
  return (protocol: string, outcome: string): void => {
    const name = outcomeClass(outcome);
    messages.add({ protocol, outcome: name });
    if (RECEIVED.has(name)) count("messages");
    if (REFUSED.has(name)) count("refused_messages");
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
