import type { FastifyInstance, FastifyRequest } from "fastify";

/** How long a body may take, but for one that is read as it comes. */
export const BODY_TIMEOUT_MS = 60_000;

/** The longest time of a body that is read as it comes: it is idle for a minute at most. */
export const STREAM_TIMEOUT_MS = 3_600_000;

/** Ends requests whose bodies do not come in time. */
export function limitBodyTime(
  app: FastifyInstance,
  timeoutMs = BODY_TIMEOUT_MS,
): void {
  app.addHook("onRequest", (request, _reply, done) => {
    if (hasBody(request) && request.routeOptions.config.body !== "stream")
      endLater(request, timeoutMs);
    done();
  });
}

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers["transfer-encoding"] !== undefined ||
  (headers["content-length"] ?? "0") !== "0";

function endLater({ raw }: FastifyRequest, timeoutMs: number): void {
  // Most bodies have come with their heads.
  if (raw.complete) return;
  const timer = setTimeout(() => raw.destroy(), timeoutMs).unref();
  const stop = (): void => clearTimeout(timer);
  raw.once("end", stop);
  raw.once("close", stop);
}
