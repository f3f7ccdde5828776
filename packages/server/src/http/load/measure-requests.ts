import type { FastifyInstance } from "fastify";
import { isEventStream } from "../event-stream.ts";
import type { Metrics } from "../../observability/metrics.ts";

const BUCKETS = [0.005, 0.02, 0.1, 0.5, 2, 10];
/** A client can make up any other method. */
export const METHODS: ReadonlySet<string> = new Set([
  ..."GET HEAD POST PUT DELETE PATCH OPTIONS".split(" "),
]);

/**
 * Measures response times by the pattern of the route, since paths are
 * unbounded. Call it before the routes are added.
 */
export function measureRequests(
  app: FastifyInstance,
  metrics: Pick<Metrics, "histogram">,
): void {
  const durations = metrics.histogram(
    "kith_http_request_duration_seconds",
    "Time from a request to the end of its answer.",
    BUCKETS,
  );
  app.addHook("onResponse", (request, reply, done) => {
    if (isEventStream(reply)) return done();
    const labels = {
      method: METHODS.has(request.method) ? request.method : "other",
      route: request.routeOptions.url ?? "none",
      status: `${Math.floor(reply.statusCode / 100)}xx`,
    };
    durations.observe(labels, reply.elapsedTime / 1000);
    done();
  });
}
