import type { JobHandler, JobResult } from "../../jobs/job.ts";
import type { Metrics } from "../../observability/metrics.ts";

/** Counts attempts to deliver by their result. @returns the handler, counted */
export function countDeliveries<Payload extends { readonly protocol: string }>(
  metrics: Metrics,
  handler: JobHandler<Payload>,
): JobHandler<Payload> {
  const deliveries = metrics.counter(
    "kith_deliveries_total",
    "Delivery attempts to other servers, by result.",
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
