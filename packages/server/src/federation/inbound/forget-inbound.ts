import type { Tx } from "../../db/db.ts";
import type { JobHandler } from "../../jobs/job.ts";
import { later, timestamp, type Timestamp } from "../../lib/time/clock.ts";
import type { InboundDeps } from "./inbound.ts";
import { deleteProcessedBefore } from "./inbound-store.ts";
import { createUnprovenMessages } from "./unproven-messages.ts";
import { createWaitingMessages } from "./waiting.ts";

const KEEP_IDS_MS = 30 * 24 * 3_600_000;
const FORGET_EVERY_MS = 6 * 3_600_000;

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
