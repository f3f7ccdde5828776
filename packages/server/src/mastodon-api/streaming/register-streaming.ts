import type { FastifyInstance } from "fastify";
import { answerRefusal } from "../kit/refusals.ts";
import type { LiveDeps } from "./open-live.ts";
import { serveEventStreams } from "./sse-routes.ts";
import { serveWebSocket } from "./web-socket-route.ts";

/** Serves what changes, as it changes. */
export function registerStreaming(app: FastifyInstance, deps: LiveDeps): void {
  void app.register(async (scope) => {
    scope.setErrorHandler((error, _request, reply) =>
      answerRefusal(error, reply),
    );
    serveEventStreams(scope, deps);
    await serveWebSocket(scope, deps);
  });
}
