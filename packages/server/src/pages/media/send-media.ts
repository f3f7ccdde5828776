import type { FastifyReply, FastifyRequest } from "fastify";
import parseRange from "range-parser";
import { isNotModified } from "../../http/not-modified.ts";
import { KithError } from "../../lib/errors.ts";
import type { ByteRange, StoredMedia } from "../../lib/media/media-store.ts";

/**
 * Files of others never run, never frame, and are never sniffed as a page. A
 * missing file may appear later, so a 404 is not cached.
 */
export const INERT = {
  "content-security-policy":
    "default-src 'none'; frame-ancestors 'none'; sandbox",
  "cache-control": "no-store",
};

/** A file that the viewer may see. */
type SentMedia = {
  readonly mediaType: string;
  /** The ETag. */
  readonly tag: string;
  /** Bytes that one response sends at most of a longer part; any number by default. */
  readonly maxPartBytes?: number;
  /** @returns undefined if the file was deleted concurrently */
  readonly open: (part?: ByteRange) => Promise<StoredMedia | undefined>;
};

/** Sends a file or a part of it. @throws {KithError} `not_found` without one */
export async function sendMedia(
  request: FastifyRequest,
  reply: FastifyReply,
  found: SentMedia | undefined,
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
  // Ranges have a meaning for GET alone (RFC 9110 §14.2).
  const wanted =
    request.method === "HEAD" ? undefined : readRange(request, etag, size);
  if (wanted === undefined)
    return reply.header("content-length", size).type(mediaType).send(stream);
  stream.destroy();
  if (wanted === "none")
    return reply.code(416).header("content-range", `bytes */${size}`).send();
  const { start } = wanted;
  const { maxPartBytes = Infinity } = found;
  const end = Math.min(wanted.end, start + maxPartBytes - 1);
  const part = await found.open({ start, end });
  if (!part) throw new KithError("not_found", "The file is gone.");
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
