import { createHash, type KeyObject } from "node:crypto";
import {
  DiasporaError,
  isGuid,
  parseEnvelope,
  verifyEnvelope,
  type UnverifiedEnvelope,
} from "@kith/diaspora";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Person } from "../../features/people/index.ts";
import { KithError } from "../../lib/errors.ts";
import type { Proving, Unproven } from "../inbound/unproven.ts";
import type { DiasporaDeps } from "./deps.ts";
import { registerFetchRoutes } from "./fetch-routes.ts";
import { registerPersonRoutes } from "./person-routes.ts";
import { createKnownSenders, type FindSender } from "./known-senders.ts";
import { readImmediate } from "./receive-at-once.ts";
import { hostOf } from "./wire-values.ts";

type RoutesDeps = { readonly unproven: Unproven } & Pick<
  DiasporaDeps,
  | "contacts"
  | "db"
  | "jobs"
  | "clock"
  | "accounts"
  | "people"
  | "photos"
  | "posts"
  | "comments"
  | "events"
  | "polls"
  | "inbound"
  | "baseUrl"
  | "handleHost"
  | "hostPolicies"
>;

const MAX_MESSAGE_BYTES = 2 * 1024 * 1024;

/** Serves everything that other diaspora* servers ask for, but for WebFinger and NodeInfo. */
export function registerDiasporaRoutes(
  app: FastifyInstance,
  deps: RoutesDeps,
): void {
  const findSender = createKnownSenders(deps);
  const options = {
    config: { access: "message", limit: "message", body: "raw" },
    bodyLimit: MAX_MESSAGE_BYTES,
    onRequest: forgetContentType,
  } as const;
  app.post("/receive/public", options, async (request, reply) => {
    const body = bodyOf(request);
    const proving = deps.unproven.begin(request.network);
    if (body) await takePublic(deps, findSender, body, proving);
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

async function takePublic(
  deps: RoutesDeps,
  findSender: FindSender,
  body: Buffer,
  proving: Proving,
): Promise<void> {
  const envelope = parseOrDrop(body);
  if (!envelope) return proving.fail();
  if (hostOf(envelope.claimedSender) === deps.handleHost) return;
  const sender = envelope.claimedSender;
  // Whatever is said of blocked servers is said to nobody: the answer is the same.
  if (!(await deps.hostPolicies.isHostAllowed(hostOf(sender)))) return;
  const known = await findSender(sender);
  if (known && !(await isSignedWith(envelope, known.key)))
    return proving.fail();
  if (known) proving.succeed();
  // Later it may be welcome: whoever means it sends it again.
  else proving.lookUp();
  const message = {
    protocol: "diaspora",
    // The same envelope may mean something new: sharing, not sharing, sharing again.
    messageId: null,
    sender,
    recipientUserId: null,
    verified: known !== undefined,
    body,
  } as const;
  const seed = known?.person.addresses.seedLocation ?? null;
  const host = seed === null ? undefined : new URL(seed).origin;
  const immediate =
    known && (await readImmediate(deps, envelope, known.person));
  await deps.inbound.store(message, sender, host, immediate);
}

function parseOrDrop(body: Buffer): UnverifiedEnvelope | undefined {
  try {
    return parseEnvelope(body);
  } catch (error) {
    if (error instanceof DiasporaError) return undefined;
    throw error;
  }
}

async function isSignedWith(
  envelope: UnverifiedEnvelope,
  key: KeyObject,
): Promise<boolean> {
  try {
    await verifyEnvelope(envelope, key);
    return true;
  } catch (error) {
    if (error instanceof DiasporaError) return false;
    throw error;
  }
}

/** Who has left can read for a while what it still gets: the sender is told. */
async function canRead(
  accounts: RoutesDeps["accounts"],
  { state, userId }: Person,
): Promise<boolean> {
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
