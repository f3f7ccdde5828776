import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isApiPath } from "./input/request-path.ts";

/** The kinds of access where a token may decide the response. */
const BY_TOKEN: ReadonlySet<unknown> = new Set([
  "token",
  "viewer",
  "moderator",
  "admin",
]);

/**
 * Caches do not vary by the token by themselves; a token in the query is part
 * of the URL.
 */
const TOKEN_HEADERS = ["Authorization", "access_token"];

/**
 * Keeps responses to a token, errors included, out of shared caches: by default
 * they are not stored, and a cacheable response varies by token.
 */
export function preventSharedCaching(app: FastifyInstance): void {
  app.addHook("onSend", (request, reply, _payload, done) => {
    if (dependsOnToken(request)) {
      if (!reply.hasHeader("cache-control"))
        void reply.header("cache-control", "private, no-store");
      vary(reply, TOKEN_HEADERS);
    }
    done();
  });
}

/** Unknown paths are refused to everyone, and are not cached either. */
function dependsOnToken({ is404, url, routeOptions }: FastifyRequest): boolean {
  const { access, limit } = routeOptions.config;
  const isGrant = access === "anyone" && limit === "credentials";
  return BY_TOKEN.has(access) || ((is404 || isGrant) && isApiPath(url));
}

function vary(reply: FastifyReply, names: readonly string[]): void {
  const said = String(reply.getHeader("vary") ?? "");
  const known = said.split(",").map((name) => name.trim());
  const lower = new Set(known.map((name) => name.toLowerCase()));
  const added = names.filter((name) => !lower.has(name.toLowerCase()));
  const all = [...known.filter((name) => name !== ""), ...added];
  if (!lower.has("*")) void reply.header("vary", all.join(", "));
}
