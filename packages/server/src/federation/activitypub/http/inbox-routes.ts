import {
  ActivityPubError,
  isActivityPubContentType,
  parseHttpSignature,
  parseJson,
  readActivity,
  readIntegrityProof,
  readPlainly,
  renamesTerms,
  type Activity,
  type JsonObject,
} from "@kith/activitypub";
import { createHash } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Accounts } from "../../../features/accounts/index.ts";
import type { Person } from "../../../features/people/index.ts";
import { KithError } from "../../../lib/errors.ts";
import type { Limit, Limits } from "../../../lib/limits/limits.ts";
import type { Relays } from "../relays/relay-list.ts";
import type { Inbound } from "../../inbound/create-inbound.ts";
import type { SignatureFailureLimiter } from "../../inbound/signature-failure-limiter.ts";
import type { BlockedHosts } from "../authority/blocked-hosts.ts";
import { isOfServer, originOf } from "../authority/origins.ts";
import { findByUsername } from "../records/find-local.ts";
import { isAcceptedFromActor } from "../inbox/takes-back.ts";
import type { LikeAtOnceDeps } from "../at-once/like-at-once.ts";
import type { ShareAtOnceDeps } from "../at-once/share-at-once.ts";
import { readImmediateActivity } from "../at-once/receive-at-once.ts";
import { verifyOwnRequest } from "../authority/verify-own.ts";
import { toReceived, type VerifyRequest } from "../authority/verify-request.ts";
import { recogniseRepeats } from "../inbox/recognise-repeats.ts";
import {
  createNoteFollowers,
  type NoteFollowers,
  type NoteFollowersDeps,
} from "../actors/synchronize-followers.ts";

export type InboxDeps = LikeAtOnceDeps &
  ShareAtOnceDeps &
  NoteFollowersDeps & {
    readonly accounts: Pick<Accounts, "getServerKey">;
    readonly inbound: Inbound;
    readonly verifyRequest: VerifyRequest;
    readonly blockedHosts: BlockedHosts;
    readonly relays: Relays;
    readonly limits: Limits;
    readonly unproven: SignatureFailureLimiter;
  };

const MAX_BODY_BYTES = 1024 * 1024;
/** Activities of others that one server may forward. */
const FORWARDERS = { max: 300, windowMs: 600_000 };
/** Activities that a subscribed relay may send. */
const RELAYS = { max: 600, windowMs: 600_000 };

type VouchingDeps = {
  readonly forwarders: Limit;
  readonly relayed: Limit;
  readonly noteFollowers: NoteFollowers;
};

/**
 * Serves the inboxes: messages are verified, stored durably, answered, and
 * processed later.
 */
export function registerInboxes(app: FastifyInstance, given: InboxDeps): void {
  const { limits } = given;
  const forwarders = limits.create("forwarded", "host", FORWARDERS);
  const relayed = limits.create("relayed", "host", RELAYS);
  const noteFollowers = createNoteFollowers(given);
  const deps = { ...given, forwarders, relayed, noteFollowers };
  const options = {
    bodyLimit: MAX_BODY_BYTES,
    config: { access: "message", limit: "message", body: "raw" },
  } as const;
  const shared = async (request: FastifyRequest, reply: FastifyReply) =>
    receiveCounted(deps, request, reply, null);
  const personal = async (request: FastifyRequest, reply: FastifyReply) => {
    const { username } = request.params as { username: string };
    const owner = await findByUsername(deps, username.toLowerCase());
    if (!owner) throw new KithError("not_found", "No such user.");
    return receiveCounted(deps, request, reply, owner);
  };
  app.post("/api/v1/ap/inbox", options, shared);
  app.post("/api/v0/ap/inbox", options, shared);
  app.post("/api/v1/ap/person/:username/inbox", options, personal);
  app.post("/api/v0/ap/user/:username/inbox", options, personal);
}

/**
 * Unreadable messages count as failures, like unsigned ones; the latter are
 * counted at verification.
 */
async function receiveCounted(
  ...[deps, request, reply, owner]: Parameters<typeof receive>
): Promise<FastifyReply> {
  const proving = deps.unproven.begin(request.network);
  try {
    return await receive(deps, request, reply, owner);
  } catch (error) {
    if (error instanceof KithError && error.code === "bad_request")
      proving.fail();
    throw error;
  }
}

async function receive(
  deps: InboxDeps & VouchingDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  owner: Person | null,
): Promise<FastifyReply> {
  if (!isActivityPubContentType(request.headers["content-type"]))
    throw new KithError(
      "unsupported_media_type",
      "The body must be an activity, as application/activity+json or application/ld+json.",
    );
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const json = readJson(body);
  // Renamed terms are resolved only if the message is signed: that costs more
  // than parsing.
  const claimed = renamesTerms(json) ? undefined : readPlain(json);
  if (claimed) {
    const asking = refuseShutOut(deps, claimed);
    if (asking) await asking;
    if (claimed.actor === deps.uris.instance) {
      await verifyOwnRequest(deps, request);
      // The loop-back message has arrived unchanged, and there is nothing to
      // store.
      return reply.code(204).send();
    }
    if (deps.uris.isLocal(claimed.actor))
      throw new KithError("unauthorized", "An actor of this server.");
    if (deletesActor(claimed) && (await isStranger(deps, claimed.actor)))
      return reply.code(202).send();
  }
  const sender = await deps.verifyRequest(
    request,
    (signer) =>
      claimed?.actor === signer.addresses.actorUri &&
      isAcceptedFromActor(signer, claimed),
  );
  const activity = claimed ?? (await readRenamed(deps, json));
  if (sender.addresses.actorUri !== activity.actor)
    return receiveFromOther(deps, reply, activity, body, sender);
  if (activity.id !== undefined && !isOfServer(activity.id, activity.actor))
    throw new KithError(
      "bad_request",
      "The id of the activity must belong to the server of its actor.",
    );
  const received = toReceived(request);
  const parsed = parseHttpSignature(received);
  await deps.inbound.store(
    {
      protocol: "activitypub",
      ...recogniseRepeats(activity, body, owner, parsed.signature),
      sender: activity.actor,
      recipientUserId: owner?.userId ?? null,
      verified: true,
      body,
    },
    activity.actor,
    originOf(activity.actor),
    await readImmediateActivity(deps, activity, sender, owner),
  );
  // Also if the message concerned no one: its sender may count a local follower who is none.
  const comparing = deps.noteFollowers(sender, received, parsed);
  if (comparing) await comparing;
  return reply.code(202).send();
}

/**
 * The sender forwards another actor's activity (ActivityPub §7.1.2). The worker
 * verifies it. It gets an id of its own: an unverified message must not block
 * the actor's own one.
 */
async function receiveFromOther(
  deps: InboxDeps & VouchingDeps,
  reply: FastifyReply,
  activity: Activity,
  body: Buffer,
  sender: Person,
): Promise<FastifyReply> {
  const senderUri = sender.addresses.actorUri;
  if (senderUri === null || !mayBeVouchedFor(activity))
    throw new KithError("unauthorized", "Signed by somebody else.");
  const host = originOf(senderUri);
  // Each may cause requests to other servers.
  const isRelay = await deps.relays.isSubscribed(senderUri);
  const limit = isRelay ? deps.relayed : deps.forwarders;
  if (!limit.take(host)) throw limit.refuse(host);
  const digest = createHash("sha256").update(body).digest("hex");
  await deps.inbound.store(
    {
      protocol: "activitypub",
      messageId: `forwarded ${digest}`,
      sender: senderUri,
      // A forwarder does not choose the recipient.
      recipientUserId: null,
      verified: false,
      body,
    },
    senderUri,
    host,
  );
  return reply.code(202).send();
}

/** Activities that can be checked at their actor's own server. */
const ASKED_ABOUT = new Set(["Announce", "Create", "Delete", "Update"]);

/** By its proof, or by its actor's server, in which case it needs an id. */
function mayBeVouchedFor({ id, actor, type, raw }: Activity): boolean {
  if (id === undefined || !isOfServer(id, actor)) return false;
  return ASKED_ABOUT.has(type) || readIntegrityProof(raw) !== undefined;
}

function refuseShutOut(
  { blockedHosts }: InboxDeps,
  { actor }: Activity,
): Promise<void> | undefined {
  return blockedHosts.refuse([originOf(actor)], "Its server is shut out");
}

function readJson(body: Buffer): JsonObject {
  try {
    return parseJson(body);
  } catch (error) {
    throw asBadRequest(error);
  }
}

function readPlain(json: JsonObject): Activity {
  try {
    return readActivity(json);
  } catch (error) {
    throw asBadRequest(error);
  }
}

async function readRenamed(
  deps: InboxDeps,
  json: JsonObject,
): Promise<Activity> {
  try {
    const activity = readActivity(await readPlainly(json, deps.jsonLd));
    await refuseShutOut(deps, activity);
    return activity;
  } catch (error) {
    throw asBadRequest(error);
  }
}

function asBadRequest(error: unknown): unknown {
  return error instanceof ActivityPubError
    ? new KithError(
        "bad_request",
        `The activity cannot be read: ${error.message}.`,
      )
    : error;
}

/**
 * Servers announce deleted accounts to everyone; fetching each deleted key
 * would be endless.
 */
function deletesActor({ type, actor, object }: Activity): boolean {
  return type === "Delete" && object?.id === actor;
}

/** Accounts that are gone are known, too. */
async function isStranger(
  { people }: InboxDeps,
  actorUri: string,
): Promise<boolean> {
  const person = await people.find({ uri: actorUri });
  return !person || person.state === "closed";
}
