import type { FastifyInstance } from "fastify";
import { PROXY_PATH, STREAM_PATH } from "../../features/remote-media/index.ts";
import type { PagesDeps } from "../kit/deps.ts";
import { INERT, sendMedia } from "./send-media.ts";

/**
 * For this server's own pages, in the browser of the reader alone: the picture
 * may belong to a limited post.
 */
const FOR_READERS = {
  "cache-control": "private, max-age=86400",
  "cross-origin-resource-policy": "same-origin",
};

/**
 * Serves pictures, sounds and videos of other servers, so that readers do not
 * connect to them.
 */
export function proxyRoutes(
  app: FastifyInstance,
  { remoteMedia }: Pick<PagesDeps, "remoteMedia">,
): void {
  app.get<{ Params: { signature: string; url: string } }>(
    `${PROXY_PATH}:signature/:url`,
    { config: { access: "address", limit: "read" } },
    async (request, reply) => {
      void reply.headers({ ...INERT, "x-robots-tag": "noindex" });
      const { signature, url } = request.params;
      const found = await remoteMedia.find(signature, url);
      return sendMedia(request, reply, found, FOR_READERS);
    },
  );
  app.get<{ Params: { signature: string; url: string } }>(
    `${STREAM_PATH}:signature/:url`,
    { config: { access: "address", limit: "read" } },
    async (request, reply) => {
      void reply.headers({ ...INERT, "x-robots-tag": "noindex" });
      const { signature, url } = request.params;
      const found = await remoteMedia.findRecording(signature, url);
      return sendMedia(request, reply, found, FOR_READERS);
    },
  );
}
