import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import {
  MEDIA_PATH,
  SHARED_MEDIA_PATH,
  type VisibleMedia,
} from "../../features/photos/index.ts";

import { FOR_EVERY_ORIGIN } from "../../http/cross-origin.ts";
import { isNotModified } from "../../http/not-modified.ts";
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
      const isAtHost = context.isAtMediaHost(request);
      // Nobody is signed in there.
      const viewer = isAtHost ? null : await findFileViewer(context, request);
      const { name } = request.params;
      const found = await context.photos.findMedia(name, viewer);
      const caching = cacheHeadersOf(found);
      const { mediaHost } = context;
      if (found?.isPublic && !isAtHost && mediaHost !== null)
        return redirect(reply, `${mediaHost}${MEDIA_PATH}${name}`, {
          ...caching,
          "cache-control": "public, max-age=3600",
        });
      const address = isAtHost ? undefined : await findSigned(request, found);
      return address === undefined
        ? sendMedia(request, reply, found, caching)
        : redirect(reply, address, { ...caching, ...SIGNED });
    },
  );
  app.get<{ Params: { secret: string; name: string } }>(
    `${SHARED_MEDIA_PATH}:secret/:name`,
    { config: { access: "address", limit: "read" } },
    async (request, reply) => {
      void reply.headers({ ...INERT, ...SECRET });
      const { secret, name } = request.params;
      const found = await context.photos.findSharedMedia(secret, name);
      const address = await findSigned(request, found);
      return address === undefined
        ? sendMedia(request, reply, found, SHOWN_ELSEWHERE)
        : redirect(reply, address, { ...SHOWN_ELSEWHERE, ...SIGNED });
    },
  );
}

/** A signed address is for one reader, and soon no longer good. */
const SIGNED = {
  "cache-control": "private, no-store",
  "referrer-policy": "no-referrer",
};

/** It is signed for GET alone. A browser that has the file is answered from here. */
async function findSigned(
  { method, headers }: FastifyRequest,
  found: VisibleMedia | undefined,
): Promise<string | undefined> {
  if (!found || method !== "GET" || isNotModified(headers, found.tag))
    return undefined;
  return found.findAddress();
}

function redirect(
  reply: FastifyReply,
  address: string,
  headers: Readonly<Record<string, string>>,
): FastifyReply {
  return reply.headers(headers).redirect(address, 302);
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
