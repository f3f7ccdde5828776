import type { FastifyInstance, FastifyRequest } from "fastify";
import { KithError } from "../lib/errors.ts";

/** Does a request name the host at which public files alone are served? */
export type IsAtMediaHost = (request: FastifyRequest) => boolean;

/** @param origin of that host; null without one */
export function createIsAtMediaHost(origin: string | null): IsAtMediaHost {
  if (origin === null) return () => false;
  const { host } = new URL(origin);
  return (request) => request.host.toLowerCase() === host;
}

/** Refuses all other paths there, before authentication. */
export function serveOnlyMedia(
  app: FastifyInstance,
  isAtMediaHost: IsAtMediaHost,
  paths: readonly string[],
): void {
  app.addHook("onRequest", async (request) => {
    if (!isAtMediaHost(request)) return;
    if (!paths.some((path) => request.url.startsWith(path)))
      throw new KithError("not_found", "Only files are served at this host.");
  });
}
