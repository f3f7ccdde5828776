import type { Db, Tx } from "../../db/db.ts";
import type { PersonId } from "../../features/ids.ts";
import type { Protocol } from "../../db/remote-person.ts";
import {
  DONE,
  jobKind,
  recurringKind,
  type JobHandler,
  type JobResult,
  type Missing,
} from "../../jobs/job.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import {
  later,
  timestamp,
  type Clock,
  type Timestamp,
} from "../../lib/time/clock.ts";
import type { Log } from "../../observability/log.ts";
import type { HostHealth } from "../delivery/host-health.ts";
import type { SignatureFailureLimiter } from "./signature-failure-limiter.ts";
import { insertCreation } from "./creation-store.ts";
import {
  createUnprovenMessages,
  type UnprovenMessages,
} from "./unproven-messages.ts";
import type { Origin } from "./unproven-store.ts";
import {
  deleteInbound,
  deleteProcessedBefore,
  findInbound,
  findSenderState,
  hasInbound,
  insertSeen,
  markProcessed,
  type InboundMessage,
  type NewInboundMessage,
} from "./inbound-store.ts";
import { insertNew } from "./insert-new.ts";
import {
  createWaitingMessages,
  type WaitingBy,
  type WaitingMessages,
} from "./waiting.ts";

/** The job that processes a stored message. */
export const HANDLE_INBOUND = jobKind<{ messageId: number }>("handle-inbound");

/** The job that deletes old messages. */
export const FORGET_INBOUND = recurringKind("forget-inbound");

/**
 * The outcome of a message. `wait`: it depends on something that is not stored
 * yet; if it has a name, the message is retried as soon as that is stored. The
 * text is for operators; it never contains private texts.
 */
export type InboundResult =
  | { readonly kind: "done"; readonly outcome: string }
  | {
      readonly kind: "wait";
      readonly reason: string;
      readonly missing?: Missing;
      /** The authenticated sender, whose waiting messages are limited. */
      readonly by?: WaitingBy;
    };

export function done(outcome: string): InboundResult {
  return { kind: "done", outcome };
}

/**
 * Applies a message, in the transaction that accepts it. It may run again, and
 * awaits only queries of `tx`.
 * @returns false if it changed nothing
 */
export type Execute = (tx: Tx) => Promise<boolean>;

/**
 * A message that needs only the database, and is idempotent: only the objects
 * that it creates are remembered.
 */
export type Immediate = {
  readonly senderId: PersonId;
  readonly execute: Execute;
  /**
   * Origin of the server that it proves to be up if it changes something:
   * anyone can replay an old message.
   */
  readonly provesWhereNew?: string | undefined;
};

export type InboundHandler = (
  message: InboundMessage,
) => Promise<InboundResult>;

export type InboundDeps = {
  readonly db: Db;
  readonly jobs: Jobs;
  readonly hosts: HostHealth;
  readonly clock: Clock;
  readonly log: Log;
  /** Called with the outcome of each message. */
  readonly onOutcome?: (protocol: Protocol, outcome: string) => void;
  /** Called when the worker has authenticated a message, or failed to. */
  readonly unproven?: Pick<SignatureFailureLimiter, "settle">;
};

/** Stores messages from other servers until they are processed. */
export type Inbound = ReturnType<typeof createInbound>;

/**
 * Pauses between retries, for dependencies without a name or whose storing
 * wakes no job. They fit the retries of the missing message, which has a
 * back-off, too.
 */
const RETRY_PAUSES_MS = [
  ...[5_000, 15_000, 30_000, 60_000, 120_000, 300_000],
  ...[900_000, 3_600_000, 6 * 3_600_000],
];
const KEEP_IDS_MS = 30 * 24 * 3_600_000;
const FORGET_EVERY_MS = 6 * 3_600_000;

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
        immediate && (await applyImmediately(deps, message, from, immediate));
      const isStored = isNew ?? (await storeForLater(deps, message, from));
      deps.onOutcome?.(message.protocol, nameStored(isStored, isNew));
      return isStored;
    },
    /** Was a message with this id seen before? */
    hasSeen: (protocol: Protocol, messageId: string): Promise<boolean> =>
      hasInbound(db.read, protocol, messageId),
    /**
     * Records a message that came under another id, so that it is not accepted
     * again.
     */
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

type Message = Omit<NewInboundMessage, "receivedAt">;

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
  return db.transaction(async (tx) => {
    const receivedAt = timestamp(clock.now());
    await account?.unproven.refuseAbove(tx, account.origin, length);
    const id = await insertNew(tx, { ...message, receivedAt });
    if (host !== null) await hosts.recordActivity(tx, host);
    if (id === undefined) return false;
    await account?.unproven.note(tx, id, account.origin, length);
    await jobs.enqueue(tx, HANDLE_INBOUND, { messageId: id }, { lane });
    return true;
  });
}

/**
 * @returns false if it changed nothing; undefined if it was not applied,
 *   because of its order or a failure
 */
async function applyImmediately(
  { db, hosts, clock, log }: InboundDeps,
  message: Message,
  { lane, host }: From,
  { senderId, execute: carryOut, provesWhereNew }: Immediate,
): Promise<boolean | undefined> {
  try {
    return await db.transaction(async (tx) => {
      const origin = host ?? provesWhereNew ?? null;
      const standing = await findSenderState(tx, senderId, lane, origin);
      // Earlier messages are processed first; senders that are not active are
      // handled by the worker.
      if (!standing.isActive || standing.isWaitedFor) return undefined;
      const { creates } = message;
      const now = timestamp(clock.now());
      const isKnown = creates && !(await insertCreation(tx, creates, now));
      const isNew = !isKnown && (await carryOut(tx));
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

type Accounts = {
  readonly unproven: UnprovenMessages;
  readonly waiting: WaitingMessages;
};

function createHandle(
  { db, clock, log, onOutcome }: InboundDeps,
  { unproven, waiting }: Accounts,
) {
  return (
      handlers: Readonly<Partial<Record<Protocol, InboundHandler>>>,
    ): JobHandler<{ messageId: number }> =>
    async ({ messageId }, { job }): Promise<JobResult> => {
      const message = await findInbound(db.read, messageId);
      const handler = message && handlers[message.protocol];
      if (!handler) return DONE;
      const result = await handler(message);
      const pause = RETRY_PAUSES_MS[job.attempts - 1];
      // A waiting message leaves its lane: the sender's next messages need not
      // wait for it.
      const isWaiting = result.kind === "wait" && pause !== undefined;
      const mayWait =
        isWaiting &&
        (await db.transaction((tx) => waiting.admit(tx, message, result.by)));
      if (mayWait)
        return {
          kind: "retry",
          afterMs: pause,
          reason: result.reason,
          leaveLane: true,
          ...(result.missing && { missing: result.missing }),
        };
      const said = result.kind === "done" ? result.outcome : result.reason;
      const outcome = isWaiting ? `too many messages wait: ${said}` : said;
      onOutcome?.(message.protocol, outcome);
      log.debug({ messageId, protocol: message.protocol, outcome }, "Received");
      const failed = await db.transaction(async (tx) => {
        // A message that has waited has left its lane.
        if (job.lane === null) await waiting.end(tx, messageId);
        const from = mayBeUnproven(message)
          ? await unproven.end(tx, messageId)
          : undefined;
        // Its sender is unknown: there is nothing to recognize repeats by.
        if (from !== undefined) await deleteInbound(tx, messageId);
        else
          await markProcessed(tx, messageId, outcome, timestamp(clock.now()));
        return from;
      });
      if (failed !== undefined) unproven.noteFailed(failed);
      return DONE;
    };
}

function mayBeUnproven({ verified, recipientUserId }: InboundMessage): boolean {
  return !verified && recipientUserId !== null;
}

/**
 * Deletes, every few hours, the ids of messages that are too old to be
 * repeated.
 * @param forgetMore deletes other data of the same age
 */
export function createForgetInbound(
  { db, clock }: Pick<InboundDeps, "db" | "clock">,
  forgetMore?: (tx: Tx, before: Timestamp) => Promise<void>,
): JobHandler<Record<string, never>> {
  const unproven = createUnprovenMessages({ db, clock });
  const waiting = createWaitingMessages({ dialect: db.dialect, clock });
  return async () => {
    const before = timestamp(later(clock.now(), -KEEP_IDS_MS));
    await db.transaction(async (tx) => {
      await deleteProcessedBefore(tx, before);
      await unproven.forget(tx, before);
      await waiting.forget(tx);
      await forgetMore?.(tx, before);
    });
    return { kind: "again", afterMs: FORGET_EVERY_MS };
  };
}
