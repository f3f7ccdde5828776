import type { FastifyInstance } from "fastify";
import {
  MEDIA_PATH,
  SHARED_MEDIA_PATH,
  type VisibleMedia,
} from "../../features/photos/index.ts";

import { FOR_EVERY_ORIGIN } from "../../http/cross-origin.ts";
import { INERT, sendMedia } from "./send-media.ts";
import { findFileViewer } from "../session/find-file-viewer.ts";
import type { PagesContext } from "../session/visitor.ts";

/**
 * The URL is a secret that grants access, so it is kept from search engines and
 * from linked servers.
 */
const SECRET = {
  "x-robots-tag": "noindex, nofollow, noarchive, noimageindex",
  "referrer-policy": "no-referrer",
};

/** Serves the files of photos to viewers with access. */
export function mediaRoutes(app: FastifyInstance, context: PagesContext): void {
  app.get<{ Params: { name: string } }>(
    `${MEDIA_PATH}:name`,
    { config: { access: "viewer", limit: "read" } },
    async (request, reply) => {
      void reply.headers(INERT);
      const viewer = await findFileViewer(context, request);
      const { name } = request.params;
      const found = await context.photos.findMedia(name, viewer);
      return sendMedia(request, reply, found, cacheHeadersOf(found));
    },
  );
  app.get<{ Params: { secret: string; name: string } }>(
    `${SHARED_MEDIA_PATH}:secret/:name`,
    { config: { access: "address", limit: "read" } },
    async (request, reply) => {
      void reply.headers({ ...INERT, ...SECRET });
      const { secret, name } = request.params;
      const found = await context.photos.findSharedMedia(secret, name);
      return sendMedia(request, reply, found, SHOWN_ELSEWHERE);
    },
  );
}

/**
 * Browsers may cache it for their user, and revalidate each time; pages of
 * other servers embed it.
 */
const SHOWN_ELSEWHERE = {
  "cache-control": "private, no-cache",
  "cross-origin-resource-policy": "cross-origin",
};

/** A file never changes under its name. A limited one is not cached. */
function cacheHeadersOf(
  found: VisibleMedia | undefined,
): Record<string, string> {
  return found?.isPublic
    ? {
        "cache-control": "public, max-age=31536000, immutable",
        "cross-origin-resource-policy": "cross-origin",
        ...FOR_EVERY_ORIGIN,
      }
    : {
        "cache-control": "private, no-store",
        "cross-origin-resource-policy": "same-origin",
      };
}
