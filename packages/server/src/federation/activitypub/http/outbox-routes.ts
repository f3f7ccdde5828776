import {
  ActivityPubError,
  isActivityPubContentType,
  type JsonObject,
} from "@kith/activitypub";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { SignedIn } from "../../../features/accounts/index.ts";
import { usernameOf, type Person } from "../../../features/people/index.ts";
import { readHeaderToken } from "../../../http/input/header-token.ts";
import { KithError } from "../../../lib/errors.ts";
import { ACTOR_PATHS, getOwner } from "./actor-routes.ts";
import { executeActivity } from "../client/execute-activity.ts";
import { readClientActivity } from "../client/client-activity.ts";
import type { ClientDeps } from "../client/deps.ts";
import { findActivity } from "../documents/find-document.ts";
import { countOutbox, listOutbox } from "../client/outbox-queries.ts";
import { sendCollection } from "../sending/send-document.ts";
import { findViewer, type ViewerDeps } from "../documents/viewer.ts";

const MAX_BODY_BYTES = 1024 * 1024;

export type OutboxDeps = ClientDeps &
  ViewerDeps & {
    /** Finds the user of a token that may do anything here. */
    readonly authenticateWriter: ViewerDeps["authenticate"];
  };

/** Serves outboxes: their activities, and the client-to-server endpoint. */
export function registerOutboxes(app: FastifyInstance, deps: OutboxDeps): void {
  for (const below of ACTOR_PATHS) {
    app.get(
      `${below}/outbox`,
      { config: { access: "viewer", limit: "read", mayBeOld: true } },
      (request, reply) => sendOutbox(deps, request, reply),
    );
    app.post(
      `${below}/outbox`,
      {
        bodyLimit: MAX_BODY_BYTES,
        config: { access: "token", limit: "write", body: "raw" },
      },
      (request, reply) => take(deps, request, reply),
    );
  }
}

/**
 * Without a token: the public activities. With the owner's: all of them.
 * @throws {KithError} `not_owner_of_outbox` for any other token
 */
async function sendOutbox(
  deps: OutboxDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { db, uris } = deps;
  const owner = await getOwner(deps, request);
  const viewer =
    (await findOutboxUser(deps.authenticate, request, owner)) ?? null;
  // A signer sees public activities, unless its server is blocked; without
  // authorized fetch everyone does.
  if (!viewer) await findViewer(deps, request);
  return sendCollection(request, reply, {
    id: `${uris.actor(usernameOf(owner))}/outbox`,
    totalItems: await countOutbox(db.read, owner.id, viewer),
    list: async (page) => {
      const guids = await listOutbox(db.read, owner.id, viewer, page);
      const activities: JsonObject[] = [];
      for (const guid of guids) {
        const activity = await findActivity(deps, guid, viewer);
        if (activity) activities.push(withoutContext(activity));
      }
      return activities;
    },
  });
}

/** Only the outermost object has a context. */
function withoutContext({
  "@context": _,
  ...activity
}: JsonObject): JsonObject {
  return activity;
}

async function take(
  deps: OutboxDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const person = await getOwner(deps, request);
  const user = await findOutboxUser(deps.authenticateWriter, request, person);
  if (!user) throw new KithError("unauthorized", "No token.");
  if (!isActivityPubContentType(request.headers["content-type"]))
    throw new KithError(
      "unsupported_media_type",
      "The body must be an activity, as application/activity+json or application/ld+json.",
    );
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const activity = readClientActivity(body, person, deps.uris);
  const id = await applyOrRefuse(deps, { ...user, person }, activity);
  return reply.code(201).header("location", id).send();
}

async function applyOrRefuse(
  ...[deps, owner, activity]: Parameters<typeof executeActivity>
): Promise<string> {
  try {
    return await executeActivity(deps, owner, activity);
  } catch (error) {
    if (error instanceof ActivityPubError)
      throw new KithError(
        "bad_request",
        `The activity cannot be read: ${error.message}.`,
      );
    throw error;
  }
}

/** @returns undefined for a request without a token */
async function findOutboxUser(
  authenticate: ViewerDeps["authenticate"],
  request: FastifyRequest,
  owner: Person,
): Promise<SignedIn | undefined> {
  const token = readHeaderToken(request);
  if (token === undefined) return undefined;
  const user = await authenticate(token);
  if (user?.personId !== owner.id)
    throw new KithError("not_owner_of_outbox", "Another user's outbox.");
  request.countFor(user.userId);
  return user;
}
