import type { FastifyInstance } from "fastify";
import { SERVER_PICTURE_PATH } from "../../features/server-profile/index.ts";
import { FOR_EVERY_ORIGIN } from "../../http/cross-origin.ts";
import { KithError } from "../../lib/errors.ts";
import { STYLE_PATH } from "../kit/layout.ts";
import { INERT, sendMedia } from "../media/send-media.ts";
import type { PagesContext } from "../session/visitor.ts";

/** Their names change with their content. */
const FOR_EVER = { "cache-control": "public, max-age=31536000, immutable" };

/** The picture of the server, and its own style sheet. */
export function lookRoutes(app: FastifyInstance, context: PagesContext): void {
  const { serverProfile } = context;
  const config = { access: "anyone", limit: "read" } as const;
  app.get<{ Params: { name: string } }>(
    `${SERVER_PICTURE_PATH}:name`,
    { config },
    async (request, reply) => {
      void reply.headers(INERT);
      const found = await serverProfile.findPictureFile(request.params.name);
      return sendMedia(request, reply, found, {
        ...FOR_EVER,
        "cross-origin-resource-policy": "cross-origin",
        ...FOR_EVERY_ORIGIN,
      });
    },
  );
  app.get<{ Params: { name: string } }>(
    `${STYLE_PATH}:name`,
    { config },
    async (request, reply) => {
      const { sheet } = await serverProfile.get();
      if (request.params.name !== `${sheet?.version}.css` || !sheet)
        throw new KithError("not_found", "No such style sheet.");
      return reply
        .headers(FOR_EVER)
        .type("text/css; charset=utf-8")
        .send(sheet.css);
    },
  );
}
