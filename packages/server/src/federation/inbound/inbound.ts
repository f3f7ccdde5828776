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
import type { Unproven } from "./unproven.ts";
import { noteCreation } from "./creation-store.ts";
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

/** The job that forgets old messages. */
export const FORGET_INBOUND = recurringKind("forget-inbound");

/**
 * What came of a message. `wait`: something that it needs is not here yet; where
 * it is known what, the message is looked at again as soon as that has come. The
 * text is for operators; it never holds what people wrote.
 */
export type InboundResult =
  | { readonly kind: "done"; readonly outcome: string }
  | {
      readonly kind: "wait";
      readonly reason: string;
      readonly missing?: Missing;
      /** Who sent it, where that is certain: only so much waits by one's choice. */
      readonly by?: WaitingBy;
    };

export function done(outcome: string): InboundResult {
  return { kind: "done", outcome };
}

/**
 * Carries out what a message asks for, in the transaction that accepts it. It may
 * run again, and awaits nothing but queries of `tx`.
 * @returns false where it changed nothing
 */
export type Execute = (tx: Tx) => Promise<boolean>;

/**
 * A message that asks for nothing but what the database can do at once, and that
 * changes nothing when it comes again: what it makes is remembered, and no more.
 */
export type Immediate = {
  readonly senderId: PersonId;
  readonly execute: Execute;
  /** Origin of the server that it proves to be up where it changes something: what is old can be sent again by anybody. */
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
  /** Told what comes of each message. */
  readonly noteOutcome?: (protocol: Protocol, outcome: string) => void;
  /** Told what comes of messages that are proven late. */
  readonly unproven?: Pick<Unproven, "settle">;
};

/** Keeps messages from other servers until they are processed. */
export type Inbound = ReturnType<typeof createInbound>;

/**
 * When it looks for itself: for what has no name, or what wakes nobody. As what it
 * waits for is sent again, which has a pause after each attempt, too.
 */
const WAITS_MS = [
  ...[5_000, 15_000, 30_000, 60_000, 120_000, 300_000],
  ...[900_000, 3_600_000, 6 * 3_600_000],
];
const REMEMBER_MS = 30 * 24 * 3_600_000;
const FORGET_EVERY_MS = 6 * 3_600_000;

export function createInbound(deps: InboundDeps) {
  const { db, clock, hosts } = deps;
  const unproven = createUnprovenMessages(deps);
  const waiting = createWaitingMessages({ dialect: db.dialect, clock });
  return {
    /** Did what people here want come from this network lately? */
    isKnownNetwork: unproven.isKnownNetwork,
    /**
     * Stores a message that only its recipient can read. It counts for its origin until `noteSender`; where it
     * ends before, nothing of it is kept.
     * @returns false where the same was here before
     * @throws {KithError} `too_many_requests` or `unavailable` where too much of that kind waits
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
      deps.noteOutcome?.(protocol, nameStored(isStored, undefined));
      return isStored;
    },
    /** Who sent a message that was stored unproven is known now. @param isWanted does somebody here follow that one? */
    noteSender: unproven.prove,
    /**
     * Stores a message with its job, or carries it out at once. When this
     * resolves, the one or the other is durable.
     * @param host origin of the server that the message proves to be up; absent where it proves none
     * @param immediate where all that it asks for can be done at once
     * @returns false where it changed nothing: the same was here before, or
     *   concerns nobody
     */
    store: async (
      message: Message,
      lane: string,
      host?: string,
      immediate?: Immediate,
    ): Promise<boolean> => {
      const from = { lane: `inbound:${lane}`, host: host ?? null };
      const isNew =
        immediate && (await carryOutAtOnce(deps, message, from, immediate));
      const isStored = isNew ?? (await storeForLater(deps, message, from));
      deps.noteOutcome?.(message.protocol, nameStored(isStored, isNew));
      return isStored;
    },
    /** Did a message with this id come before? */
    hasSeen: (protocol: Protocol, messageId: string): Promise<boolean> =>
      hasInbound(db.read, protocol, messageId),
    /** Remembers a message that came under another id, so that it is not taken again. */
    noteSeen: (protocol: Protocol, messageId: string): Promise<void> =>
      db.transaction((tx) =>
        insertSeen(tx, protocol, messageId, timestamp(clock.now())),
      ),
    /** A message that could not be verified when it came proved to be valid. */
    noteVerified: (host: string) => hosts.recordLateActivity(host),
    handle: createHandle(deps, { unproven, waiting }),
    /** Ends messages whose jobs were taken out of the queue: what they say is not kept. */
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
 * Strangers wait for nobody but others from where they are: what they send may
 * take long. Those who are known keep the order in which they sent.
 */
function laneOf({ recipientUserId, network, isKnown }: Origin): string {
  const lane = `user:${recipientUserId}`;
  return isKnown ? lane : `${lane} from ${network}`;
}

type Account = {
  readonly unproven: UnprovenMessages;
  readonly origin: Origin;
};

/** Messages of one lane are processed in the order in which they came. */
type From = { readonly lane: string; readonly host: string | null };

/** @returns false where it was here before */
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
 * @returns false where it changed nothing; undefined where nothing of it has been
 * done, because it must wait its turn or because it failed
 */
async function carryOutAtOnce(
  { db, hosts, clock, log }: InboundDeps,
  message: Message,
  { lane, host }: From,
  { senderId, execute: carryOut, provesWhereNew }: Immediate,
): Promise<boolean | undefined> {
  try {
    return await db.transaction(async (tx) => {
      const origin = host ?? provesWhereNew ?? null;
      const standing = await findSenderState(tx, senderId, lane, origin);
      // What came earlier goes first; who is gone is dealt with by those who know why.
      if (!standing.isActive || standing.isWaitedFor) return undefined;
      const { creates } = message;
      const now = timestamp(clock.now());
      const isKnown = creates && !(await noteCreation(tx, creates, now));
      const isNew = !isKnown && (await carryOut(tx));
      const isProof = host !== null || isNew;
      if (origin !== null && isProof && standing.isHostInTrouble)
        await hosts.recordActivity(tx, origin);
      return isNew;
    });
  } catch (error) {
    // Nobody is told: the sender would only send it again. The worker tries it, and what fails there is seen.
    log.warn({ protocol: message.protocol, err: error }, "Left for later");
    return undefined;
  }
}

type Accounts = {
  readonly unproven: UnprovenMessages;
  readonly waiting: WaitingMessages;
};

function createHandle(
  { db, clock, log, noteOutcome }: InboundDeps,
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
      const pause = WAITS_MS[job.attempts - 1];
      // What waits steps out of its lane: the sender's next messages need not wait with it.
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
      const outcome = isWaiting ? `too much waits: ${said}` : said;
      noteOutcome?.(message.protocol, outcome);
      log.debug({ messageId, protocol: message.protocol, outcome }, "Received");
      const failed = await db.transaction(async (tx) => {
        // What has waited has left its lane.
        if (job.lane === null) await waiting.end(tx, messageId);
        const from = mayBeUnproven(message)
          ? await unproven.end(tx, messageId)
          : undefined;
        // Nobody is known to have sent it: there is nothing to recognise it by.
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
 * Forgets, every few hours, the ids of messages that nobody will repeat any more.
 * @param forgetMore what else is kept as long
 */
export function createForgetInbound(
  { db, clock }: Pick<InboundDeps, "db" | "clock">,
  forgetMore?: (tx: Tx, before: Timestamp) => Promise<void>,
): JobHandler<Record<string, never>> {
  const unproven = createUnprovenMessages({ db, clock });
  const waiting = createWaitingMessages({ dialect: db.dialect, clock });
  return async () => {
    const before = timestamp(later(clock.now(), -REMEMBER_MS));
    await db.transaction(async (tx) => {
      await deleteProcessedBefore(tx, before);
      await unproven.forget(tx, before);
      await waiting.forget(tx);
      await forgetMore?.(tx, before);
    });
    return { kind: "again", afterMs: FORGET_EVERY_MS };
  };
}
