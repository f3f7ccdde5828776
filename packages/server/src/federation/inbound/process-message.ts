import type { Protocol } from "../../db/schema/remote-person.ts";
import { DONE, type JobHandler, type JobResult } from "../../jobs/job.ts";
import { timestamp } from "../../lib/time/clock.ts";
import type { InboundDeps, InboundHandler } from "./inbound.ts";
import {
  deleteInbound,
  findInbound,
  markProcessed,
  type InboundMessage,
} from "./inbound-store.ts";
import type { UnprovenMessages } from "./unproven-messages.ts";
import type { WaitingMessages } from "./waiting.ts";

/**
 * Pauses between retries, for dependencies without a name or whose storing
 * wakes no job. They fit the retries of the missing message, which has a
 * back-off, too.
 */
const RETRY_PAUSES_MS = [
  ...[5_000, 15_000, 30_000, 60_000, 120_000, 300_000],
  ...[900_000, 3_600_000, 6 * 3_600_000],
];

type Accounts = {
  readonly unproven: UnprovenMessages;
  readonly waiting: WaitingMessages;
};

/** Makes the job that processes a stored message by the handler of its protocol. */
export function createHandle(
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
      const result = await handler(message, job.attempts);
      const pause = RETRY_PAUSES_MS[job.attempts - 1];
      // A deferred message leaves its lane: the sender's next messages need not wait for it.
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
        // A deferred message has left its lane.
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
