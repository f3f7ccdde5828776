import type { FastifyReply, FastifyRequest } from "fastify";
import { KithError } from "../../lib/errors.ts";

/**
 * Bytes of all concurrent uploads, which are in memory until they are answered.
 */
const MAX_BYTES_UNDER_WAY = 128 * 1024 * 1024;

/**
 * Admits uploads of known senders, within a limit for the memory of all.
 * @returns a function that admits a request before its body is read
 * @throws {KithError} `unavailable`, by that function
 */
export function createUploadGate(
  maxBytes = MAX_BYTES_UNDER_WAY,
): (request: FastifyRequest, reply: FastifyReply) => void {
  let underWay = 0;
  return (request, reply) => {
    const bytes = announcedBytes(request);
    if (underWay + bytes > maxBytes)
      throw new KithError("unavailable", "Too many uploads are under way.");
    underWay += bytes;
    request.mayUpload = true;
    reply.raw.once("close", () => {
      underWay -= bytes;
    });
  };
}

/** Without a declared length the body may be as long as allowed. */
function announcedBytes({ headers, server }: FastifyRequest): number {
  const announced = Number(headers["content-length"] ?? Infinity);
  return Math.min(
    Number.isNaN(announced) ? Infinity : announced,
    server.uploadBytes,
  );
}
