import type { FastifyInstance, FastifyRequest } from "fastify";
import { MEDIA_PATH, type VisibleMedia } from "../features/photos/index.ts";
import type { Viewer } from "../features/posts/index.ts";
import { readHeaderToken } from "../http/header-token.ts";
import { KithError } from "../lib/errors.ts";
import { findVisitor, type PagesContext } from "./visitor.ts";

/** What is uploaded here never runs, never frames, and is never taken for a page. */
const INERT = "default-src 'none'; frame-ancestors 'none'; sandbox";

/** Serves the files of pictures, each to those who may see it. */
export function mediaRoutes(app: FastifyInstance, context: PagesContext): void {
  app.get<{ Params: { name: string } }>(
    `${MEDIA_PATH}:name`,
    { config: { access: "viewer" } },
    async (request, reply) => {
      // What is not there may come to be: nobody keeps that it is not.
      void reply.headers({
        "content-security-policy": INERT,
        "cache-control": "no-store",
      });
      const viewer = await findViewer(context, request);
      const { name } = request.params;
      const found = await context.photos.findMedia(name, viewer);
      if (!found) throw new KithError("not_found", "No such picture");
      const unchanged = request.headers["if-none-match"] === found.tag;
      if (unchanged) return reply.code(304).headers(headersOf(found)).send();
      const file = await found.open();
      if (!file) throw new KithError("not_found", "The file is gone");
      return reply
        .headers({ ...headersOf(found), "content-length": file.size })
        .type(found.mediaType)
        .send(file.stream);
    },
  );
}

/** A file never changes under its name. What is not for everybody is kept by nobody. */
function headersOf({ isPublic, tag }: VisibleMedia): Record<string, string> {
  return isPublic
    ? {
        "cache-control": "public, max-age=31536000, immutable",
        "cross-origin-resource-policy": "cross-origin",
        etag: tag,
      }
    : {
        "cache-control": "private, no-store",
        "cross-origin-resource-policy": "same-origin",
        etag: tag,
      };
}

/**
 * The holder of a token, the visitor of a session, or nobody in particular.
 * @throws {KithError} `unauthorized` for a token that is not valid
 */
async function findViewer(
  context: PagesContext,
  request: FastifyRequest,
): Promise<Viewer> {
  const parameter = request.parameters["access_token"];
  const token =
    readHeaderToken(request) ??
    (typeof parameter === "string" ? parameter : undefined);
  if (token === undefined)
    return (await findVisitor(context, request))?.user ?? null;
  const user = await context.accounts.authenticate(token);
  if (!user) throw new KithError("unauthorized", "No user for this token");
  return user;
}
