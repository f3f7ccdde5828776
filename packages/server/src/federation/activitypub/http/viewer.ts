import type { FastifyRequest } from "fastify";
import type { Viewer } from "../../../features/visibility/index.ts";
import type { SignedIn } from "../../../features/accounts/index.ts";

import { readHeaderToken } from "../../../http/input/header-token.ts";
import { KithError } from "../../../lib/errors.ts";
import type { VerifyRequest } from "../authority/verify-request.ts";

export type ViewerDeps = {
  readonly authenticate: (token: string) => Promise<SignedIn | undefined>;
  readonly verifyRequest: VerifyRequest;
  /** Whether nobody in particular is shown anything. */
  readonly authorizedFetch: boolean;
};

/**
 * Who asks for a document: the holder of a token, the signer of the request, or
 * nobody in particular.
 * @throws {KithError} `unauthorized` for a token or a signature that is not valid,
 *   and for neither of them where fetches must be authorized
 */
export async function findViewer(
  { authenticate, verifyRequest, authorizedFetch }: ViewerDeps,
  request: FastifyRequest,
): Promise<Viewer> {
  const token = readHeaderToken(request);
  if (token !== undefined) {
    const user = await authenticate(token);
    if (!user)
      throw new KithError("unauthorized", "No user for this token.", {
        isTokenRefused: true,
      });
    request.countFor(user.userId);
    return user;
  }
  if (request.headers["signature"] === undefined) {
    if (authorizedFetch) throw new KithError("unauthorized", "Not signed.");
    return null;
  }
  const person = await verifyRequest(request);
  return { personId: person.id, userId: null };
}

/**
 * What the one who asks may see, and what everybody may see where it asks for its
 * server: a block keeps a person from being shown something, and not the others on
 * its server, for whom that asks as well.
 */
export async function findForServer<T>(
  viewer: Viewer,
  find: (viewer: Viewer) => Promise<T | undefined>,
): Promise<T | undefined> {
  const found = await find(viewer);
  const isServer = viewer !== null && viewer.userId === null;
  return found === undefined && isServer ? find(null) : found;
}

/**
 * Whether the one who asks may see more of an actor than everybody must see:
 * two servers that both demand signatures could else never get each other's keys.
 */
export async function mayReadActor(
  deps: ViewerDeps,
  request: FastifyRequest,
): Promise<boolean> {
  if (!deps.authorizedFetch) return true;
  try {
    return (await findViewer(deps, request)) !== null;
  } catch (error) {
    if (error instanceof KithError) return false;
    throw error;
  }
}
