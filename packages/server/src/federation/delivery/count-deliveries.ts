import type { JobHandler, JobResult } from "../../jobs/job.ts";
import type { Metrics } from "../../observability/metrics.ts";

type Delivery = { readonly protocol: string; readonly url: string };

/**
 * Counts attempts to deliver by their result. @returns the handler, counted
 * @param noteDelivery is called with the server, and whether it took the message
 */
export function countDeliveries<Payload extends Delivery>(
  metrics: Metrics,
  noteDelivery: (host: string, isDelivered: boolean) => void,
  handler: JobHandler<Payload>,
): JobHandler<Payload> {
  const deliveries = metrics.counter(
    "kith_deliveries_total",
    "Delivery attempts to other servers, by result.",
  );
  return async (payload, context) => {
    const count = (result: string): void => {
      deliveries.add({ protocol: payload.protocol, result });
      const host = URL.parse(payload.url)?.host ?? "";
      if (result !== "interrupted") noteDelivery(host, result === "delivered");
    };
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
