import type { FastifyRequest } from "fastify";
import type { Oauth } from "../../features/oauth/index.ts";
import type { Viewer } from "../../features/visibility/index.ts";
import { readHeaderToken } from "../../http/input/header-token.ts";
import { KithError } from "../../lib/errors.ts";
import { findSessionOf, type VisitorContext } from "./visitor.ts";

/**
 * The account of a token, the visitor of a session, or an anonymous viewer.
 * @throws {KithError} `unauthorized` for an invalid token, `forbidden` for one without the
 *   scope
 */
export async function findFileViewer(
  context: VisitorContext & { readonly oauth: Pick<Oauth, "authenticate"> },
  request: FastifyRequest,
): Promise<Viewer> {
  const parameter = request.parameters["access_token"];
  const token =
    readHeaderToken(request) ??
    (typeof parameter === "string" ? parameter : undefined);
  if (token === undefined)
    return (await findSessionOf(context, request))?.user ?? null;
  const user = await context.oauth.authenticate(token, "read:statuses");
  if (!user)
    throw new KithError("unauthorized", "No user for this token.", {
      isTokenRefused: true,
    });
  request.countFor(user.userId);
  return user;
}
