import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { KithError } from "../../lib/errors.ts";

/** What may be under way at once in one process. */
export type LoadLimits = {
  /** Messages from other servers, which send them again. */
  readonly messages: number;
  /** Everything else. */
  readonly others: number;
  /** Bytes of the bodies of all of them, as far as they have come; uploads have a gate of their own. */
  readonly bodyBytes: number;
};

/**
 * A message takes some 30 kB until it is answered, and a server that is not
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
  }
}

/** Decides whether there is room for so many bytes more of a body. */
export type AdmitBytes = (request: FastifyRequest, bytes: number) => boolean;

/**
 * Answers 503 to what comes while too much is under way, before it takes memory:
 * whoever is let in is served at the usual pace, and nothing that was accepted is
 * dropped. Messages and the rest are counted apart, so that a flood from other
 * servers leaves the pages open. What supervisors ask is always answered.
 */
export function shedLoad(
  app: FastifyInstance,
  limits: LoadLimits = LIMITS,
): AdmitBytes {
  const underWay = { messages: 0, others: 0, bodyBytes: 0 };
  app.decorateRequest("bodyBytes", 0);
  app.addHook("onRequest", (request, reply, done) => {
    const kind = kindOf(request);
    if (kind === undefined) return done();
    if (underWay[kind] >= limits[kind])
      return done(new KithError("unavailable", `Too many ${kind}.`));
    underWay[kind] += 1;
    whenClosed(reply, () => {
      underWay[kind] -= 1;
      underWay.bodyBytes -= request.bodyBytes;
    });
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
  // The connection may have broken before the hook ran: nothing more would be heard.
  if (raw.destroyed) then();
  else raw.once("close", then);
}
