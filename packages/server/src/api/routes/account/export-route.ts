import { pipeline, Readable } from "node:stream";
import { createGzip } from "node:zlib";
import type { FastifyInstance } from "fastify";
import type { Exports } from "../../../features/exports/index.ts";
import type { Clock } from "../../../lib/time/clock.ts";
import { writeTar } from "../../../lib/media/tar.ts";
import { Type } from "../../../lib/json-schema.ts";
import {
  getCaller,
  NO_INPUT,
  readCommon,
  readSent,
  type Authenticate,
} from "../../kit/route.ts";

/** The one route that answers with a file, described for the document. */
export const EXPORT_ROUTE = {
  method: "GET",
  limit: "costly",
  scope: "undelegated",
  name: "exportAccount",
  path: "/export",
  summary:
    "Gives you everything that you have here, as a compressed tar archive.",
  description:
    "JSON files with the account, profile, aspects, contacts, posts with their polls, comments, likes, votes, calendars, events, participations, notifications, streams, followed tags, blocks of people and servers, ignores, hidden posts, bookmarks, drafts, filters, apps with access and photos, and below `media/` the photos themselves. No secrets, and nothing that others wrote.",
  input: NO_INPUT,
  output: Type.String({ format: "binary" }),
  errors: [409],
  contentType: "application/gzip",
} as const;

export type ExportRouteDeps = {
  readonly exports: Exports;
  readonly clock: Clock;
};

/** Serves the export. A second one at the same time is a conflict. */
export function registerExport(
  app: FastifyInstance,
  prefix: string,
  authenticate: Authenticate,
  { exports, clock }: ExportRouteDeps,
): void {
  app.route({
    method: EXPORT_ROUTE.method,
    url: prefix + EXPORT_ROUTE.path,
    config: { access: "token", limit: EXPORT_ROUTE.limit },
    handler: async (request, reply) => {
      const { user } = await getCaller(request, authenticate, EXPORT_ROUTE);
      readSent(EXPORT_ROUTE, request);
      readCommon(request);
      const now = clock.now();
      const day = now.toISOString().slice(0, 10);
      void reply.headers({
        "content-type": EXPORT_ROUTE.contentType,
        "content-disposition": `attachment; filename="kith-${user.username}-${day}.tar.gz"`,
        "cache-control": "no-store",
      });
      // A HEAD request does not start the export.
      if (request.method === "HEAD") return reply.send();
      const { files, end } = exports.begin(user);
      return reply.send(
        pipeline(
          Readable.from(writeTar(files, now), { objectMode: false }),
          createGzip(),
          end,
        ),
      );
    },
  });
}
