import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { KithError } from "../../lib/errors.ts";

/** Limits of concurrent work in one process. */
export type LoadLimits = {
  /** Messages from other servers, which retry them. */
  readonly messages: number;
  /** Everything else. */
  readonly others: number;
  /** Received bytes of all their bodies; uploads have a limit of their own. */
  readonly bodyBytes: number;
};

/**
 * A message takes about 30 kB until it is answered, and a server that is not
 * overloaded answers a thousand of them within a second.
 */
const LIMITS: LoadLimits = {
  messages: 1_000,
  others: 1_000,
  bodyBytes: 64 * 1024 * 1024,
};

declare module "fastify" {
  interface FastifyRequest {
    /** Bytes of its body that are in memory. */
    bodyBytes: number;
    /**
     * Stops counting an answer that lasts, and that has a limit of its own.
     */
    leaveLoad: () => void;
  }
}

/** Decides whether there is room for so many more bytes of a body. */
export type AdmitBytes = (request: FastifyRequest, bytes: number) => boolean;

/**
 * Answers 503 to requests over the limits, before they take memory: admitted
 * requests are served at the usual pace, and accepted messages are never
 * dropped. Messages and other requests are counted separately, so that a flood
 * from other servers does not block the pages. Health checks are always
 * answered.
 */
export function shedLoad(
  app: FastifyInstance,
  limits: LoadLimits = LIMITS,
): AdmitBytes {
  const underWay = { messages: 0, others: 0, bodyBytes: 0 };
  app.decorateRequest("bodyBytes", 0);
  app.decorateRequest("leaveLoad", () => {});
  app.addHook("onRequest", (request, reply, done) => {
    const kind = kindOf(request);
    if (kind === undefined) return done();
    if (underWay[kind] >= limits[kind])
      return done(new KithError("unavailable", `Too many ${kind}.`));
    underWay[kind] += 1;
    let isCounted = true;
    request.leaveLoad = () => {
      if (!isCounted) return;
      isCounted = false;
      underWay[kind] -= 1;
      underWay.bodyBytes -= request.bodyBytes;
    };
    whenClosed(reply, request.leaveLoad);
    return done();
  });
  return (request, bytes) => {
    if (request.mayUpload) return true;
    if (underWay.bodyBytes + bytes > limits.bodyBytes) return false;
    underWay.bodyBytes += bytes;
    request.bodyBytes += bytes;
    return true;
  };
}

function kindOf({
  routeOptions,
}: FastifyRequest): "messages" | "others" | undefined {
  const { access, isProbe } = routeOptions.config;
  if (isProbe) return undefined;
  return access === "message" ? "messages" : "others";
}

function whenClosed({ raw }: FastifyReply, then: () => void): void {
  // The connection may have closed before this hook: no event would follow.
  if (raw.destroyed) then();
  else raw.once("close", then);
}
