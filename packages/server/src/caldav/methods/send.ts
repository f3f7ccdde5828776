import type { FastifyReply } from "fastify";

export function sendXml(
  reply: FastifyReply,
  status: number,
  body: string,
): FastifyReply {
  return reply
    .code(status)
    .type("application/xml; charset=utf-8")
    .header("cache-control", "private, no-store")
    .send(body);
}

export function sendEmpty(reply: FastifyReply, status: number): FastifyReply {
  return reply.code(status).header("cache-control", "private, no-store").send();
}
