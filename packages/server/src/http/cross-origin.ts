import type { FastifyInstance, FastifyReply } from "fastify";
import { pathOf } from "./input/request-path.ts";

/** The paths open to programs in browsers: none of them reads a cookie. */
const OPEN_PATHS =
  /^\/(?:api|oauth\/(?:token|revoke|userinfo)|\.well-known|nodeinfo)(?:\/|$)/;

/** The star allows any origin, without cookies. */
export const FOR_EVERY_ORIGIN = { "access-control-allow-origin": "*" };

/** The response headers that a program may read. */
const EXPOSED = {
  "access-control-expose-headers":
    "Link, Location, Retry-After, Warning, WWW-Authenticate, X-OTP, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id",
};

const PREFLIGHT = {
  "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
  // A star does not include Authorization.
  "access-control-allow-headers":
    "Accept, Accept-Language, Access_Token, Authorization, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID, Range, X-OTP",
  // The longest time that Chromium caches it.
  "access-control-max-age": "7200",
};

/**
 * Lets programs in browsers, on pages of any origin, use the API with a token.
 * A session never counts there: no response allows credentials, and the routes
 * below these paths do not read the cookie.
 */
export function allowCrossOrigin(app: FastifyInstance): void {
  app.addHook("onRequest", (request, reply, done) => {
    if (!OPEN_PATHS.test(pathOf(request.url))) return done();
    void reply.headers({ ...FOR_EVERY_ORIGIN, ...EXPOSED });
    const { method, headers } = request;
    if (
      method === "OPTIONS" &&
      headers.origin !== undefined &&
      headers["access-control-request-method"] !== undefined
    )
      return void answerPreflight(reply);
    done();
  });
}

function answerPreflight(reply: FastifyReply): FastifyReply {
  return reply.code(204).headers(PREFLIGHT).send();
}
