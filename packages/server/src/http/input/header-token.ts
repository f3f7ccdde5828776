import type { FastifyRequest } from "fastify";

/** The access token in a request's headers: `access_token`, else `Authorization: Bearer`. */
export function readHeaderToken(request: FastifyRequest): string | undefined {
  const header = request.headers["access_token"];
  if (typeof header === "string") return header;
  return /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? "")?.[1];
}
