import type { FastifyReply, FastifyRequest } from "fastify";
import { createUploadGate } from "../../http/load/upload-gate.ts";
import { findSessionOf, type VisitorContext } from "./visitor.ts";

/**
 * A hook for forms with files: before the body is read, since only those who are
 * signed in may upload.
 */
export function admitUploads(context: VisitorContext) {
  const admit = createUploadGate();
  return async (
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> => {
    if (await findSessionOf(context, request)) admit(request, reply);
  };
}
