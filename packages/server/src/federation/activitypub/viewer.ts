import type { FastifyRequest } from "fastify";
import type { SignedIn } from "../../features/accounts/index.ts";
import type { Viewer } from "../../features/posts/index.ts";
import { readHeaderToken } from "../../http/header-token.ts";
import { KithError } from "../../lib/errors.ts";
import type { VerifyRequest } from "./authority/verify-request.ts";

export type ViewerDeps = {
  readonly authenticate: (token: string) => Promise<SignedIn | undefined>;
  readonly verifyRequest: VerifyRequest;
};

/**
 * Who asks for a document: the holder of a token, the signer of the request, or
 * nobody in particular.
 * @throws {KithError} `unauthorized` for a token or a signature that is not valid
 */
export async function findViewer(
  { authenticate, verifyRequest }: ViewerDeps,
  request: FastifyRequest,
): Promise<Viewer> {
  const token = readHeaderToken(request);
  if (token !== undefined) {
    const user = await authenticate(token);
    if (!user) throw new KithError("unauthorized", "No user for this token");
    return user;
  }
  if (request.headers["signature"] === undefined) return null;
  const person = await verifyRequest(request);
  return { personId: person.id, userId: null };
}
