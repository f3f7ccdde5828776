import type { FastifyRequest } from "fastify";
import type { Viewer } from "../../../features/visibility/index.ts";
import type { SignedIn } from "../../../features/accounts/index.ts";

import { readHeaderToken } from "../../../http/input/header-token.ts";
import { withCurrentReads } from "../../../lib/caching/old-reads.ts";
import { KithError } from "../../../lib/errors.ts";
import type { VerifyRequest } from "../authority/verify-request.ts";

export type ViewerDeps = {
  readonly authenticate: (token: string) => Promise<SignedIn | undefined>;
  readonly verifyRequest: VerifyRequest;
  /** Refuse anonymous requests? */
  readonly authorizedFetch: boolean;
};

/**
 * Authenticates the viewer of a document: by token, by signature, or as
 * anonymous.
 * @throws {KithError} `unauthorized` for an invalid token or signature, and for
 *   neither of them if fetches must be authorized
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
  // Keys, and who is shut out, are of now.
  const person = await withCurrentReads(() => verifyRequest(request));
  return { personId: person.id, userId: null };
}

/**
 * Finds what the viewer may see, or what is public if the request is for its server: a block hides
 * objects from a person, not from the others on its server, for which that server requests as well.
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
 * May the viewer see more of an actor than everyone must? Otherwise two servers that both demand
 * signatures could never fetch each other's keys.
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
