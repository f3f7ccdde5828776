import type { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { KithError } from "../../lib/errors.ts";
import { parseBody } from "./parameters.ts";
import { BodyTooLarge, readRequestBody } from "./read-body.ts";
import { salvageFields } from "./salvage-fields.ts";

/**
 * Bytes of a body by default: enough for the longest text, of which a form
 * encodes each character in up to twelve bytes.
 */
export const DEFAULT_BODY_LIMIT = 1024 * 1024;

/** Bytes of the other fields of a form with a file. */
export const FIELDS_BYTES = 512 * 1024;

/** Bytes of an oversized body that are read and discarded at least. */
const MIN_DISCARDED_BYTES = 32 * 1024 * 1024;

/** A large video is read to its end, so that its sender sees what was typed beside it. */
const MAX_VIDEO_BYTES = 512 * 1024 * 1024;

/** Parses each body as its route declares. @param admit is there room for so many more bytes? */
export function parseBodies(
  app: FastifyInstance,
  admit: (request: FastifyRequest, bytes: number) => boolean,
): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "*",
    async (request: FastifyRequest, payload: Readable) => {
      const { config } = request.routeOptions;
      // Messages of servers are not refused before they are read.
      if (config.body !== "raw") refuseCompressed(request);
      if (config.body === "stream" && isMultipart(request)) return payload;
      const type = request.headers["content-type"];
      const keepsTexts = config.keepsTexts === true && isMultipart(request);
      try {
        const bytes = await readRequestBody(
          payload,
          bodyLimitOf(request),
          (count) => admit(request, count),
          keptEndsOf(request, keepsTexts),
        );
        if (config.body === "raw") return bytes;
        return await parseBody(type, bytes, config.file, config);
      } catch (error) {
        if (!keepsTexts || !(error instanceof BodyTooLarge)) throw error;
        request.isTooLarge = true;
        return salvageFields(type ?? "", error);
      }
    },
  );
  app.addHook("onSend", (request, reply, _payload, done) => {
    if (reply.statusCode >= 400) keepConnection(request, reply);
    done();
  });
}

/**
 * Where a body is refused, Fastify closes the connection, as more of it may follow. Where it was
 * read, nothing follows. During a stop, connections are closed by a header of Node's answer.
 */
function keepConnection({ raw }: FastifyRequest, reply: FastifyReply): void {
  const { shouldKeepAlive } = reply.raw;
  if (raw.complete && shouldKeepAlive && !reply.raw.hasHeader("connection"))
    void reply.removeHeader("connection");
}

/**
 * As much as the largest upload is read by anyone's request: its sender may only have to sign in
 * first, and gets to read so.
 */
function keptEndsOf(
  { mayUpload, server }: FastifyRequest,
  keepsTexts: boolean,
) {
  const maxDiscarded = Math.max(MIN_DISCARDED_BYTES, server.uploadBytes);
  if (!keepsTexts) return { endBytes: 0, maxDiscarded };
  return {
    endBytes: FIELDS_BYTES,
    maxDiscarded: mayUpload ? MAX_VIDEO_BYTES : maxDiscarded,
  };
}

/** @throws {KithError} `unsupported_media_type` (RFC 9110, section 8.4) */
function refuseCompressed({ headers }: FastifyRequest): void {
  const { "content-encoding": encoding = "identity" } = headers;
  if (encoding.toLowerCase() !== "identity")
    throw new KithError(
      "unsupported_media_type",
      "The body must not be compressed.",
    );
}

/** Only a sender known to be allowed may upload a large body. */
function bodyLimitOf(request: FastifyRequest) {
  const { mayUpload, routeOptions, server } = request;
  const { bodyLimit = DEFAULT_BODY_LIMIT, config } = routeOptions;
  return config.file !== undefined && mayUpload && isMultipart(request)
    ? server.uploadBytes
    : bodyLimit;
}

const isMultipart = ({ headers }: FastifyRequest): boolean =>
  /^multipart\/form-data\b/i.test(headers["content-type"] ?? "");
