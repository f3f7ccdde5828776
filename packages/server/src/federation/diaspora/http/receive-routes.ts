import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { DiasporaDeps } from "../deps.ts";
import { registerFetchRoutes } from "./fetch-routes.ts";
import { registerPersonRoutes } from "./person-routes.ts";
import { createReceivePrivate } from "../receive/receive-private.ts";
import {
  createReceivePublic,
  type ReceivePublicDeps,
} from "../receive/receive-public.ts";

type RoutesDeps = ReceivePublicDeps &
  Pick<DiasporaDeps, "accounts" | "baseUrl" | "quotes" | "uriOfPost">;

const MAX_MESSAGE_BYTES = 2 * 1024 * 1024;

/** Serves all routes of diaspora* except WebFinger and NodeInfo. */
export function registerDiasporaRoutes(
  app: FastifyInstance,
  deps: RoutesDeps,
): void {
  const receivePublic = createReceivePublic(deps);
  const receivePrivate = createReceivePrivate(deps);
  const options = {
    config: { access: "message", limit: "message", body: "raw" },
    bodyLimit: MAX_MESSAGE_BYTES,
    onRequest: forgetContentType,
  } as const;
  app.post("/receive/public", options, async (request, reply) => {
    await receivePublic(bodyOf(request), request.network);
    return accepted(reply);
  });
  app.post<{ Params: { guid: string } }>(
    "/receive/users/:guid",
    options,
    async (request, reply) => {
      const { guid } = request.params;
      await receivePrivate(guid, bodyOf(request), request.network);
      return accepted(reply);
    },
  );
  registerPersonRoutes(app, deps);
  registerFetchRoutes(app, deps);
}

/**
 * Servers send any content type, also invalid ones, which would be rejected
 * before routing.
 */
async function forgetContentType({ raw }: FastifyRequest): Promise<void> {
  raw.headers["content-type"] = "application/octet-stream";
}

/**
 * The response discloses no outcome: any other status would be retried for
 * days.
 */
function accepted(reply: FastifyReply): FastifyReply {
  return reply.code(202).send();
}

function bodyOf({ body }: FastifyRequest): Buffer | undefined {
  return Buffer.isBuffer(body) && body.length > 0 ? body : undefined;
}
