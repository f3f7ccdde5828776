import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isApiPath } from "./input/request-path.ts";

/** Where a token may decide what is answered. */
const BY_TOKEN: ReadonlySet<unknown> = new Set([
  "token",
  "viewer",
  "moderator",
  "admin",
]);

/** What is kept by caches does not go by the token; that in the query is part of the address. */
const TOKEN_HEADERS = ["Authorization", "access_token"];

/**
 * Keeps answers for a token, errors too, out of every cache on their way: what
 * does not say otherwise is stored by nobody, and what does is told apart by token.
 */
export function keepPrivate(app: FastifyInstance): void {
  app.addHook("onSend", (request, reply, _payload, done) => {
    if (dependsOnToken(request)) {
      if (!reply.hasHeader("cache-control"))
        void reply.header("cache-control", "private, no-store");
      vary(reply, TOKEN_HEADERS);
    }
    done();
  });
}

/** What nothing serves is refused to everybody, and to be kept as little. */
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
