import type { FastifyInstance } from "fastify";
import type { Log } from "../../observability/log.ts";

/**
 * Logs each request when it is answered, by the pattern of its route: paths
 * name people and hold secrets, and queries do as well. Streams are logged when
 * they end.
 */
export function logRequests(app: FastifyInstance, log: Log): void {
  app.addHook("onResponse", (request, reply, done) => {
    const bytes = Number(reply.getHeader("content-length"));
    log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? "none",
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        ...(Number.isSafeInteger(bytes) && { bytes }),
        // The status of an answer that nobody received says nothing.
        ...(!reply.raw.writableFinished && { aborted: true }),
      },
      "request",
    );
    done();
  });
}
