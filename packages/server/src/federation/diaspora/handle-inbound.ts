import {
  decryptEnvelope,
  DiasporaError,
  parseEntity,
  parseEnvelope,
  type Entity,
} from "@kith/diaspora";
import type { UserId } from "../../features/ids.ts";
import type { Person } from "../../features/people/index.ts";
import { findOwnSeedOrigin } from "../remote-people/proven-origins.ts";
import {
  done,
  type InboundHandler,
  type InboundResult,
} from "../inbound/inbound.ts";
import type { InboundMessage } from "../inbound/inbound-store.ts";
import type { DiasporaDeps } from "./deps.ts";
import { answerForGone } from "./http/answer-for-gone.ts";
import { createFetchRemote, createFetchShown } from "./fetch/fetch-remote.ts";
import { openEnvelope } from "./authority/open-envelope.ts";
import { processEntity } from "./process-entity.ts";
import { createPublicKeys } from "./authority/public-keys.ts";
import { isAcceptedFromSender } from "./authority/sender-rules.ts";
import {
  refused,
  type Arrival,
  type ReceiveContext,
} from "./authority/receive-context.ts";

/** Processes stored messages: decrypts, verifies and applies them. */
export function createDiasporaInbound(
  deps: DiasporaDeps,
  context = createReceiveContext(deps),
): InboundHandler {
  return async (message) => {
    try {
      return await receive(context, message);
    } catch (error) {
      if (!(error instanceof DiasporaError)) throw error;
      // Every error in an encrypted message looks the same, to operators as well.
      return error.stage === "decrypt"
        ? done("undecryptable")
        : refused(`${error.stage}: ${error.message}`);
    }
  };
}

/** The context that receiving messages and fetching for other reasons share in a process. */
export function createReceiveContext(deps: DiasporaDeps): ReceiveContext {
  const keys = createPublicKeys();
  const context: ReceiveContext = {
    ...deps,
    keys,
    fetchRemote: (wanted) => fetchRemote(wanted),
    fetchShown: (shown) => fetchShown(shown),
  };
  const fetching = {
    ...deps,
    keys,
    process: (entity: Entity, arrival: Arrival) =>
      processEntity(context, entity, arrival),
  };
  const fetchRemote = createFetchRemote(fetching);
  const fetchShown = createFetchShown(fetching);
  return context;
}

async function receive(
  context: ReceiveContext,
  message: InboundMessage,
): Promise<InboundResult> {
  const { recipientUserId, body } = message;
  if (recipientUserId !== null)
    return receivePrivately(context, message, recipientUserId);
  const envelope = parseEnvelope(body);
  const isVerified =
    message.verified && message.sender === envelope.claimedSender;
  const opened = await openEnvelope(context, envelope, isVerified);
  if (opened.kind !== "open") return opened;
  const { sender, payloadXml } = opened;
  const entity = parseEntity(payloadXml);
  const text = Buffer.from(body).toString();
  const arrival = { sender, owner: null, depth: 0, envelope: text };
  const result = await processEntity(context, entity, arrival);
  return noteIfNew(context, sender, result);
}

async function receivePrivately(
  context: ReceiveContext,
  { id, body }: InboundMessage,
  userId: UserId,
): Promise<InboundResult> {
  const owner = await context.people.find({ userId });
  if (!owner || !(await context.accounts.hasKeys(userId)))
    return refused("the recipient is gone");
  // Unlike for a recipient who has left, the sender is not notified.
  if (owner.state === "shut_out") return refused("the recipient is suspended");
  const privateKey = await context.accounts.getPrivateKey(userId);
  const decrypted = await decryptEnvelope(body, privateKey);
  const envelope = parseEnvelope(decrypted);
  const opened = await openEnvelope(context, envelope, false);
  if (opened.kind !== "open") return opened;
  const { sender, payloadXml } = opened;
  await context.inbound.noteSender(id, await isFollowed(context, sender));
  const entity = parseEntity(payloadXml);
  if (!isAcceptedFromSender(sender, entity))
    return refused("the sender is suspended");
  if (owner.state !== "active")
    return answerForGone(context, { ...owner, userId }, sender, entity.type);
  const text = Buffer.from(decrypted).toString();
  const arrival = { sender, owner, depth: 0, envelope: text };
  const result = await processEntity(context, entity, arrival);
  return noteIfNew(context, sender, result);
}

/** Local people chose the people whom they follow; any stranger may follow them. */
async function isFollowed(
  { contacts }: ReceiveContext,
  { id, state }: Person,
): Promise<boolean> {
  if (state !== "active") return false;
  const follower = await contacts.findUserRelatedTo(id, { either: false });
  return follower !== undefined;
}

/** The outcomes of a message that arrives for the first time, not of a repeat. */
const NEWS = new Set(["stored", "edited", "changed", "retracted", "moved"]);

/**
 * An envelope has no time, and everyone who has it can replay it for ever: it shows that a server
 * is up only where its content is new.
 */
async function noteIfNew(
  context: ReceiveContext,
  sender: Person,
  result: InboundResult,
): Promise<InboundResult> {
  const origin = findOwnSeedOrigin(sender);
  if (result.kind === "wait") {
    const isWanted = await isFollowed(context, sender);
    return { ...result, by: { name: sender.handle, isFollowed: isWanted } };
  }
  const isNew = NEWS.has(result.outcome);
  if (isNew && origin !== undefined) await context.inbound.noteVerified(origin);
  return result;
}
