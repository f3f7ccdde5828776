import type { Tx } from "../../db/db.ts";
import { keysOf } from "../../db/together/names.ts";
import type { Protocol } from "../../db/schema/remote-person.ts";
import { timestamp, type Timestamp } from "../../lib/time/clock.ts";
import { insertCreation } from "./creation-store.ts";
import {
  HANDLE_INBOUND,
  type Immediate,
  type InboundDeps,
  type Message,
} from "./inbound.ts";
import {
  findSenderState,
  hasInbound,
  insertSeen,
  markProcessed,
} from "./inbound-store.ts";
import { insertNew } from "./insert-new.ts";
import { createHandle } from "./process-message.ts";
import {
  createUnprovenMessages,
  type UnprovenMessages,
} from "./unproven-messages.ts";
import type { Origin } from "./unproven-store.ts";
import { createWaitingMessages } from "./waiting.ts";

/** Stores messages from other servers until they are processed. */
export type Inbound = ReturnType<typeof createInbound>;

export function createInbound(deps: InboundDeps) {
  const { db, clock, hosts } = deps;
  const unproven = createUnprovenMessages(deps);
  const waiting = createWaitingMessages({ dialect: db.dialect, clock });
  return {
    /**
     * Did this network send authenticated messages of followed people lately?
     */
    isKnownNetwork: unproven.isKnownNetwork,
    /**
     * Stores an encrypted message, whose sender is unknown. It counts against
     * its origin until `noteSender`; if it ends before, nothing of it is kept.
     * @returns false if it was seen before
     * @throws {KithError} `too_many_requests` or `unavailable` if too many of
     *   that kind wait
     */
    storeUnproven: async (
      { protocol, messageId, body }: UnprovenMessage,
      sent: Omit<Origin, "isKnown">,
    ): Promise<boolean> => {
      const { network, recipientUserId } = sent;
      const isKnown = await unproven.isKnownNetwork(network);
      const origin = { ...sent, isKnown };
      const message = {
        ...{ protocol, messageId, body, recipientUserId },
        ...{ sender: null, verified: false },
      };
      const from = { lane: `inbound:${laneOf(origin)}`, host: null };
      const account = { unproven, origin };
      const isStored = await storeForLater(deps, message, from, account);
      deps.onOutcome?.(protocol, nameStored(isStored, undefined));
      return isStored;
    },
    /**
     * Records the sender of a message that was stored unproven. @param isWanted
     * does a local user follow the sender?
     */
    noteSender: unproven.prove,
    /**
     * Stores a message with its job, or applies it immediately. Either is
     * durable when this resolves.
     * @param host origin of the server that the message proves to be up, if it
     *   does
     * @param immediate if the message can be applied immediately
     * @returns false if it changed nothing: it was seen before, or concerns no
     *   local user
     */
    store: async (
      message: Message,
      lane: string,
      host?: string,
      immediate?: Immediate,
    ): Promise<boolean> => {
      const from = { lane: `inbound:${lane}`, host: host ?? null };
      const isNew =
        immediate && (await executeAtOnce(deps, message, from, immediate));
      const isStored = isNew ?? (await storeForLater(deps, message, from));
      deps.onOutcome?.(message.protocol, nameStored(isStored, isNew));
      return isStored;
    },
    /** Was a message with this id seen before? */
    hasSeen: (protocol: Protocol, messageId: string): Promise<boolean> =>
      hasInbound(db.read, protocol, messageId),
    /** Records a message that arrived under another id, so that it is not accepted again. */
    noteSeen: (protocol: Protocol, messageId: string): Promise<void> =>
      db.transaction((tx) =>
        insertSeen(tx, protocol, messageId, timestamp(clock.now())),
      ),
    /** Records that the worker has verified a message. */
    noteVerified: (host: string) => hosts.recordLateActivity(host),
    handle: createHandle(deps, { unproven, waiting }),
    /**
     * Ends messages whose jobs were removed from the queue: their bodies are
     * deleted.
     */
    drop: async (tx: Tx, jobs: readonly Dropped[]): Promise<void> => {
      for (const { kind, payload } of jobs) {
        if (kind !== HANDLE_INBOUND.name) continue;
        const { messageId } = JSON.parse(payload) as { messageId: number };
        await unproven.end(tx, messageId);
        await waiting.end(tx, messageId);
        await markProcessed(tx, messageId, "dropped", timestamp(clock.now()));
      }
    },
  };
}

function nameStored(isStored: boolean, isDone: boolean | undefined): string {
  if (!isStored) return "repeated";
  return isDone === true ? "done at once" : "stored";
}

type Dropped = { readonly kind: string; readonly payload: string };

type UnprovenMessage = Pick<Message, "protocol" | "messageId" | "body">;

/**
 * Messages of strangers share a lane with others of their origin, and may take
 * long. Known senders keep their order.
 */
function laneOf({ recipientUserId, network, isKnown }: Origin): string {
  const lane = `user:${recipientUserId}`;
  return isKnown ? lane : `${lane} from ${network}`;
}

type Account = {
  readonly unproven: UnprovenMessages;
  readonly origin: Origin;
};

/** Messages of one lane are processed in order. */
type From = { readonly lane: string; readonly host: string | null };

/** @returns false if it was seen before */
function storeForLater(
  { db, jobs, hosts, clock }: InboundDeps,
  message: Message,
  { lane, host }: From,
  account?: Account,
): Promise<boolean> {
  const { length } = message.body;
  const store = async (tx: Tx) => {
    const receivedAt = timestamp(clock.now());
    await account?.unproven.refuseAbove(tx, account.origin, length);
    const id = await insertNew(tx, { ...message, receivedAt });
    if (host !== null) await hosts.recordActivity(tx, host);
    if (id === undefined) return false;
    await account?.unproven.note(tx, id, account.origin, length);
    await jobs.enqueue(tx, HANDLE_INBOUND, { messageId: id }, { lane });
    return true;
  };
  // Messages of strangers are counted, and one above the limit is refused.
  return account ? db.transaction(store) : db.together(keysFor(message), store);
}

/** Keeps messages apart that may be the same one, or create by the same activity. */
function keysFor({ protocol, messageId, creates }: Message): string[] {
  return [
    ...(messageId === null ? [] : [`message:${protocol}:${messageId}`]),
    ...(creates ? [`creation:${creates.activity}`] : []),
  ];
}

/**
 * @returns false if it changed nothing; undefined if it was not applied,
 *   because of its order or a failure
 */
async function executeAtOnce(
  { db, hosts, clock, log }: InboundDeps,
  message: Message,
  { lane, host }: From,
  { senderId, names, execute, provesWhereNew, keys: more = [] }: Immediate,
): Promise<boolean | undefined> {
  const keys = [...keysOf(names), ...keysFor(message), ...more];
  try {
    return await db.together(keys, async (tx) => {
      const origin = host ?? provesWhereNew ?? null;
      const standing = await findSenderState(tx, senderId, lane, origin);
      // Earlier messages are processed first; senders that are not active are
      // handled by the worker.
      if (!standing.isActive || standing.isWaitedFor) return undefined;
      const isNew =
        (await remember(tx, message, timestamp(clock.now()))) &&
        (await execute(tx, standing));
      const isProof = host !== null || isNew;
      if (origin !== null && isProof && standing.isHostInTrouble)
        await hosts.recordActivity(tx, origin);
      return isNew;
    });
  } catch (error) {
    // The sender is not notified, since it would only retry. The worker
    // retries, and its failures are visible.
    log.warn({ protocol: message.protocol, err: error }, "Left for later");
    return undefined;
  }
}

/** @returns false if it was seen before, or created another object */
async function remember(
  tx: Tx,
  message: Message,
  receivedAt: Timestamp,
): Promise<boolean> {
  const { creates, messageId } = message;
  if (creates) return insertCreation(tx, creates, receivedAt);
  // The signature of an entity is all that tells a repeat from it.
  if (messageId === null) return true;
  const seen = { ...message, receivedAt, outcome: "done at once" };
  return (await insertNew(tx, seen)) !== undefined;
}
