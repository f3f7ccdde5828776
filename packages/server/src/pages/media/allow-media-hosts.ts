import type { FastifyInstance } from "fastify";

const POLICY = "content-security-policy";
const SOURCES = /\b((?:img|media)-src 'self')/g;

/** Lets pages load pictures, sounds and videos from the hosts to which this server redirects them. */
export function allowMediaHosts(
  scope: FastifyInstance,
  origins: readonly string[],
): void {
  if (origins.length === 0) return;
  const more = origins.join(" ");
  scope.addHook("onSend", async (_request, reply, payload) => {
    const policy = reply.getHeader(POLICY);
    if (typeof policy === "string")
      void reply.header(POLICY, policy.replace(SOURCES, `$1 ${more}`));
    return payload;
  });
}
