import { createHash } from "node:crypto";
import { isGuid } from "@kith/diaspora";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Person } from "../../features/people/index.ts";
import { KithError } from "../../lib/errors.ts";
import type { DiasporaDeps } from "./deps.ts";
import { registerFetchRoutes } from "./fetch-routes.ts";
import { registerPersonRoutes } from "./person-routes.ts";
import {
  createReceivePublic,
  type ReceivePublicDeps,
} from "./receive-public.ts";

type RoutesDeps = ReceivePublicDeps &
  Pick<DiasporaDeps, "accounts" | "baseUrl">;

const MAX_MESSAGE_BYTES = 2 * 1024 * 1024;

/** Serves everything that other diaspora* servers ask for, but for WebFinger and NodeInfo. */
export function registerDiasporaRoutes(
  app: FastifyInstance,
  deps: RoutesDeps,
): void {
  const receivePublic = createReceivePublic(deps);
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
      deps.unproven.begin(request.network);
      await takePrivate(deps, request.params.guid, bodyOf(request));
      return accepted(reply);
    },
  );
  registerPersonRoutes(app, deps);
  registerFetchRoutes(app, deps);
}

/** Servers send every type, and some that are none, which would be refused before the path counts. */
async function forgetContentType({ raw }: FastifyRequest): Promise<void> {
  raw.headers["content-type"] = "application/octet-stream";
}

/** The answer says nothing about what came: anything else would be sent again for days. */
function accepted(reply: FastifyReply): FastifyReply {
  return reply.code(202).send();
}

function bodyOf({ body }: FastifyRequest): Buffer | undefined {
  return Buffer.isBuffer(body) && body.length > 0 ? body : undefined;
}

/** Who has left can read for a while what it still gets: the sender is told. */
async function canRead(
  accounts: RoutesDeps["accounts"],
  { state, userId }: Person,
): Promise<boolean> {
  if (state === "shut_out") return false;
  return state === "active" || (userId !== null && accounts.hasKeys(userId));
}

/** Decrypting takes long and may tell something about the key, so it is done later. */
async function takePrivate(
  { accounts, people, inbound }: RoutesDeps,
  guid: string,
  body: Buffer | undefined,
): Promise<void> {
  const person = isGuid(guid) ? await people.find({ guid }) : undefined;
  if (person?.userId == null || !(await canRead(accounts, person)))
    throw new KithError("not_found", "Nobody with that Guid");
  if (!body) return;
  // Encryption makes each message unlike any other, so equal bytes are one message sent again.
  const digest = createHash("sha256").update(body).digest("hex");
  await inbound.store(
    {
      protocol: "diaspora",
      messageId: `${person.guid}:${digest}`,
      sender: null,
      recipientUserId: person.userId,
      verified: false,
      body,
    },
    `user:${person.userId}`,
  );
}
