import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import parseRange from "range-parser";
import {
  MEDIA_PATH,
  SHARED_MEDIA_PATH,
  type VisibleMedia,
} from "../../features/photos/index.ts";

import { FOR_EVERY_ORIGIN } from "../../http/cross-origin.ts";
import { isNotModified } from "../../http/not-modified.ts";
import { KithError } from "../../lib/errors.ts";
import type { ByteRange } from "../../lib/media/media-store.ts";
import { findFileViewer } from "../session/find-file-viewer.ts";
import type { PagesContext } from "../session/visitor.ts";

/** Uploaded files never run, never frame, and are never sniffed as a page. */
const INERT = "default-src 'none'; frame-ancestors 'none'; sandbox";

/**
 * Uploaded files are inert. A missing file may appear later, so a 404 is not
 * cached.
 */
const SAFE = {
  "content-security-policy": INERT,
  "cache-control": "no-store",
};

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
      void reply.headers(SAFE);
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
      void reply.headers({ ...SAFE, ...SECRET });
      const { secret, name } = request.params;
      const found = await context.photos.findSharedMedia(secret, name);
      return sendMedia(request, reply, found, SHOWN_ELSEWHERE);
    },
  );
}

async function sendMedia(
  request: FastifyRequest,
  reply: FastifyReply,
  found: VisibleMedia | undefined,
  cacheHeaders: Readonly<Record<string, string>>,
): Promise<FastifyReply> {
  if (!found) throw new KithError("not_found", "No such picture.");
  const { tag: etag, mediaType } = found;
  const headers = { ...cacheHeaders, etag, "accept-ranges": "bytes" };
  if (isNotModified(request.headers, etag))
    return reply.code(304).headers(headers).send();
  const whole = await found.open();
  if (!whole) throw new KithError("not_found", "The file is gone.");
  const { size, stream } = whole;
  void reply.headers(headers);
  const wanted = readRange(request, etag, size);
  if (wanted === undefined)
    return reply.header("content-length", size).type(mediaType).send(stream);
  stream.destroy();
  if (wanted === "none")
    return reply.code(416).header("content-range", `bytes */${size}`).send();
  const part = await found.open(wanted);
  if (!part) throw new KithError("not_found", "The file is gone.");
  const { start, end } = wanted;
  return reply
    .code(206)
    .headers({
      "content-range": `bytes ${start}-${end}/${size}`,
      "content-length": end - start + 1,
    })
    .type(mediaType)
    .send(part.stream);
}

/**
 * Parses a Range header.
 * @returns undefined for the whole file, also for several ranges or for a range
 *   of another version; "none" for a range outside of the file
 */
function readRange(
  { method, headers }: FastifyRequest,
  tag: string,
  size: number,
): ByteRange | "none" | undefined {
  const { range, "if-range": condition } = headers;
  if (range === undefined || method !== "GET") return undefined;
  // A weak tag or a date does not guarantee the same bytes.
  if (condition !== undefined && condition !== tag) return undefined;
  const parts = parseRange(size, range);
  if (parts === -1) return "none";
  if (parts === -2 || parts.type !== "bytes" || parts.length > 1)
    return undefined;
  return parts[0];
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
