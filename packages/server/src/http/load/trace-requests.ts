import type { FastifyInstance } from "fastify";
import type { OpenSpan, Tracing } from "../../observability/tracing.ts";
import { METHODS } from "./measure-requests.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Undefined where it is not traced. */
    span: OpenSpan | undefined;
  }
}

/**
 * Traces requests, named by the pattern of the route: paths and queries name
 * people. Call it before the routes are added.
 * @see OpenTelemetry semantic conventions, "HTTP spans"
 */
export function traceRequests(
  app: FastifyInstance,
  tracing: Pick<Tracing, "begin">,
): void {
  app.decorateRequest("span", undefined);
  app.addHook("onRequest", (request, _reply, done) => {
    const { url: route, config } = request.routeOptions;
    // Supervisors ask every few seconds.
    if (config.isProbe) return done();
    const method = METHODS.has(request.method) ? request.method : "_OTHER";
    const name = route === undefined ? method : `${method} ${route}`;
    const span = tracing.begin({
      name: method === "_OTHER" ? name.replace(method, "HTTP") : name,
      kind: "server",
      requestId: request.id,
      attributes: {
        "http.request.method": method,
        ...(route !== undefined && { "http.route": route }),
      },
    });
    request.span = span;
    span.within(done);
  });
  app.addHook("onResponse", (request, reply, done) => {
    const { statusCode } = reply;
    request.span?.set({ "http.response.status_code": statusCode });
    if (statusCode >= 500) request.span?.fail(String(statusCode));
    request.span?.end();
    done();
  });
}
