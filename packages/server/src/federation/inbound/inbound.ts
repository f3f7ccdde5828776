import type { Db } from "../../db/db.ts";
import type { Protocol } from "../../features/people/index.ts";
import {
  DONE,
  jobKind,
  type JobHandler,
  type JobResult,
} from "../../jobs/job.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import { later, timestamp, type Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import type { Hosts } from "../delivery/hosts.ts";
import {
  deleteProcessedBefore,
  findInbound,
  insertInbound,
  markProcessed,
  type InboundMessage,
  type NewInboundMessage,
} from "./inbound-store.ts";

/** The job that processes a stored message. */
export const HANDLE_INBOUND = jobKind<{ messageId: number }>("handle-inbound");

/** The job that forgets old messages. */
export const FORGET_INBOUND = jobKind<Record<string, never>>("forget-inbound");

/**
 * What came of a message. `wait`: something that it needs is not here yet.
 * The text is for operators; it never holds what people wrote.
 */
export type InboundResult =
  | { readonly kind: "done"; readonly outcome: string }
  | { readonly kind: "wait"; readonly reason: string };

export function done(outcome: string): InboundResult {
  return { kind: "done", outcome };
}

export type InboundHandler = (
  message: InboundMessage,
) => Promise<InboundResult>;

export type InboundDeps = {
  readonly db: Db;
  readonly jobs: Jobs;
  readonly hosts: Hosts;
  readonly clock: Clock;
  readonly log: Log;
};

/** Keeps messages from other servers until they are processed. */
export type Inbound = ReturnType<typeof createInbound>;

const WAITS_MS = [10_000, 60_000, 600_000, 3_600_000, 6 * 3_600_000];
const REMEMBER_MS = 30 * 24 * 3_600_000;
const FORGET_EVERY_MS = 6 * 3_600_000;

export function createInbound(deps: InboundDeps) {
  const { db, jobs, hosts, clock } = deps;
  return {
    /**
     * Stores a message with its job. When this resolves, it is durable.
     * @param host origin of the sender's server, where the sender is certain
     * @returns false where the same message was here before
     */
    store: (
      message: Omit<NewInboundMessage, "receivedAt">,
      lane: string,
      host?: string,
    ): Promise<boolean> =>
      db.transaction(async (tx) => {
        const receivedAt = timestamp(clock.now());
        const id = await insertInbound(tx, { ...message, receivedAt });
        if (host !== undefined) await hosts.noteSignOfLife(tx, host);
        if (id === undefined) return false;
        await jobs.enqueue(
          tx,
          HANDLE_INBOUND,
          { messageId: id },
          { lane: `inbound:${lane}` },
        );
        return true;
      }),
    /** A message that could not be verified when it came proved to be valid. */
    noteVerified: (host: string) => hosts.noteLateSignOfLife(host),
    handle: createHandle(deps),
  };
}

function createHandle({ db, clock, log }: InboundDeps) {
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
      if (result.kind === "wait" && pause !== undefined)
        return {
          kind: "retry",
          afterMs: pause,
          reason: result.reason,
          leaveLane: true,
        };
      const outcome = result.kind === "done" ? result.outcome : result.reason;
      log.debug({ messageId, protocol: message.protocol, outcome }, "Received");
      await db.transaction((tx) =>
        markProcessed(tx, messageId, outcome, timestamp(clock.now())),
      );
      return DONE;
    };
}

/** Forgets, every few hours, the ids of messages that nobody will repeat any more. */
export function createForgetInbound({
  db,
  clock,
}: Pick<InboundDeps, "db" | "clock">): JobHandler<Record<string, never>> {
  return async () => {
    const before = timestamp(later(clock.now(), -REMEMBER_MS));
    await db.transaction((tx) => deleteProcessedBefore(tx, before));
    return { kind: "again", afterMs: FORGET_EVERY_MS };
  };
}
